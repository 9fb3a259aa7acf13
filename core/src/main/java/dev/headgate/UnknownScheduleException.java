package dev.headgate;

/** No schedule has this name: it was never put, or has been removed. */
public final class UnknownScheduleException extends NotFoundException {
    private static final long serialVersionUID = 1L;

    private final String name;

    UnknownScheduleException(String name) {
        super("schedule '%s': no such schedule; it was never put, or has been removed".formatted(name));
        this.name = name;
    }

    /** The name that was asked for. */
    public String name() {
        return name;
    }
}
