package dev.headgate.policy;

/** The policies have changed since the version that a change was made for. Nothing was changed. */
public final class StaleVersionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final long expected;
    private final long found;

    /** Creates the exception. */
    public StaleVersionException(long expected, long found) {
        super(
                "policies: expected version %d, which the change was made for, found version %d; look at what changed, and ask again for that version"
                        .formatted(expected, found));
        this.expected = expected;
        this.found = found;
    }

    /** The version that the change was made for. */
    public long expected() {
        return expected;
    }

    /** The latest version. */
    public long found() {
        return found;
    }
}
