package dev.headgate.job;

import org.jspecify.annotations.Nullable;

/**
 * Where a list of jobs goes on: keep {@link #text} as it is and give it back with {@link #parse}. It names the last job that was looked
 * at, not a number of jobs, so jobs that come or go meanwhile move nothing.
 *
 * @param rank of the last job of a list in the order of a line; absent of a list that has the newest first
 * @param id the last job
 */
public record JobCursor(@Nullable Long rank, long id) {
    private static final int RADIX = 36;
    private static final String NEWEST = "n";
    private static final String LINE = "l";

    /** In a list that has the newest first, below this job. */
    public static JobCursor below(JobId id) {
        return new JobCursor(null, id.value());
    }

    /** In the order of a line, behind this place. */
    public static JobCursor behind(long rank, long id) {
        return new JobCursor(rank, id);
    }

    /** Reads what {@link #text} gave. */
    public static JobCursor parse(String text) {
        try {
            if (text.startsWith(NEWEST)) {
                return new JobCursor(null, number(text.substring(1)));
            }
            int dot = text.indexOf('.');
            if (text.startsWith(LINE) && dot > 0) {
                return new JobCursor(number(text.substring(1, dot)), number(text.substring(dot + 1)));
            }
        } catch (NumberFormatException e) {
            throw unknown(text, e);
        }
        throw unknown(text, null);
    }

    private static long number(String digits) {
        return Long.parseLong(digits, RADIX);
    }

    private static IllegalArgumentException unknown(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "cursor: expected the text that a page named for the next one, got '%s'".formatted(text), cause);
    }

    public boolean isOfLine() {
        return rank != null;
    }

    /** As text, for another process or another day. */
    public String text() {
        return rank == null
                ? NEWEST + Long.toString(id, RADIX)
                : LINE + Long.toString(rank, RADIX) + "." + Long.toString(id, RADIX);
    }

    @Override
    public String toString() {
        return text();
    }
}
