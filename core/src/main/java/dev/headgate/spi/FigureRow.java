package dev.headgate.spi;

/**
 * Figures of one interval.
 *
 * @param at when it begins, in microseconds of store time
 * @param source of a part, what wrote it, so that each is there once; else empty
 * @param data the figures as text
 */
public record FigureRow(Grain grain, long at, String source, String data) {
    /** How long the interval is, and where the row comes from. */
    public enum Grain {
        /** Ten seconds, as one process saw them. */
        PART("part"),
        /** Ten seconds of the whole store. */
        FINE("10s"),
        /** Ten minutes of the whole store. */
        COARSE("10m"),
        /** All that ever happened. */
        TOTAL("total"),
        /** Up to where new jobs are counted. */
        MARK("mark");

        private final String text;

        Grain(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        public static Grain parse(String text) {
            for (Grain grain : values()) {
                if (grain.text.equals(text)) {
                    return grain;
                }
            }
            throw new IllegalArgumentException(
                    "grain: expected one of those of headgate_figure, got '%s'".formatted(text));
        }
    }
}
