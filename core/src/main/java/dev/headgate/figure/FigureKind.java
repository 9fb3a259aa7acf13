package dev.headgate.figure;

/** What a series of figures is about. */
public enum FigureKind {
    QUEUE("queue"),
    TYPE("type"),

    /** A gate, or all gates behind one policy with a pattern, such as {@code tenant:*}. */
    GATE("gate"),

    /** One gate behind a pattern, in the intervals in which it was one of the busiest of them. */
    KEY("key");

    private final String text;

    FigureKind(String text) {
        this.text = text;
    }

    /** The word used in stores, commands and messages. */
    public String text() {
        return text;
    }

    public static FigureKind parse(String text) {
        for (FigureKind kind : values()) {
            if (kind.text.equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind: expected queue, type, gate or key, got '%s'".formatted(text));
    }
}
