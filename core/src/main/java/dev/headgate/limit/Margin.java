package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.List;

/**
 * How long a start may take from its grant to the call that it was granted for. A provider counts calls, not grants: so
 * a limit decides at the grant, and counts the start until its margin is over or its handler has ended, whichever is
 * earlier.
 *
 * <p>The first half is for the way to the handler: a start that gets there later does not run, and goes back to its
 * place. The second half is for the way from the handler to the provider.
 *
 * @param kind how the span is found
 * @param micros the span of {@link Kind#SPAN}, else 0
 */
public record Margin(Kind kind, long micros) {
    /** How the span of a margin is found. */
    public enum Kind {
        /** Chosen to suit the limit. */
        AUTO,
        /** No span: a start counts at its grant. */
        NONE,
        /** As given. */
        SPAN,
        /** A start counts until its handler has ended. */
        END
    }

    /**
     * A twentieth of the period, from 100 ms to 1 s and at most a quarter of the period; none for a distance between starts,
     * and where less than 50 ms would be left.
     */
    public static final Margin AUTO = new Margin(Kind.AUTO, 0);

    /** A start counts at its grant. */
    public static final Margin NONE = new Margin(Kind.NONE, 0);

    /** A start counts until its handler has ended, however long that takes. */
    public static final Margin END = new Margin(Kind.END, 0);

    /** The span of a margin that only the end of the handler ends. */
    public static final long OPEN = Long.MAX_VALUE;

    /** A worker with less than this is late more often than not, in microseconds. */
    public static final long SHORTEST = 50_000;

    private static final long AUTO_MIN = 100_000;
    /** An automatic margin takes this part of its limit. */
    public static final long AUTO_PART = 20;

    public static final long AUTO_MAX = Micros.PER_SECOND;

    public Margin {
        if (kind == Kind.SPAN && micros < 2) {
            throw new IllegalArgumentException(
                    "margin: expected a span longer than 1 microsecond, got %s; for no margin say none"
                            .formatted(Spans.text(Micros.duration(micros))));
        }
    }

    /** A margin of this span. */
    public static Margin of(Duration span) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException(
                    "margin: expected a span greater than zero, got %s; for no margin say none"
                            .formatted(Spans.text(span)));
        }
        return new Margin(Kind.SPAN, Micros.of(span));
    }

    /**
     * The automatic margin of a limit with this period that can spare this much of it. None if that is less than a
     * worker needs from a grant to its handler and on to a call: it would give back nearly every start.
     */
    static long suiting(long per, long spare) {
        long span = Math.min(Math.clamp(per / AUTO_PART, AUTO_MIN, AUTO_MAX), spare);
        return span < SHORTEST ? 0 : span;
    }

    /** Its span for a limit with this automatic margin. */
    long micros(long suiting) {
        return switch (kind) {
            case AUTO -> suiting;
            case NONE -> 0;
            case SPAN -> micros;
            case END -> OPEN;
        };
    }

    /** Checks that this margin leaves something of a limit with this period. */
    void check(String limit, Duration per) {
        if (kind == Kind.SPAN && micros >= Micros.of(per)) {
            throw new IllegalArgumentException(
                    "%s: expected a margin shorter than its period of %s, got %s; half of the limit or less would be left"
                            .formatted(limit, Spans.text(per), text()));
        }
    }

    /**
     * The span that leaves a tenth of a limit of jobs: a distance grows by the margin, a bucket takes it from its burst
     * first.
     */
    static long leavingATenth(long count, Duration per, long burst) {
        return (long) ((10.0 * burst - 1) * Micros.of(per) / count);
    }

    /** As words of a limit's text; nothing if it is automatic. */
    String suffix() {
        return kind == Kind.AUTO ? "" : " margin " + text();
    }

    /** How much of a margin is for the way to the handler. */
    public static long startAllowance(long margin) {
        return margin / 2;
    }

    /** How much of a margin is for the way from the handler to what the gate stands for. */
    public static long travelAllowance(long margin) {
        return margin - startAllowance(margin);
    }

    /** As in a limit's text: {@code auto}, {@code none}, {@code end} or a span such as {@code 50ms}. */
    public String text() {
        return switch (kind) {
            case AUTO -> "auto";
            case NONE -> "none";
            case END -> "end";
            case SPAN -> Spans.text(Micros.duration(micros));
        };
    }

    /** Reads what {@link #text} wrote. */
    static Margin parse(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "none" -> NONE;
            case "end" -> END;
            default -> {
                if (text.isEmpty() || !(Character.isDigit(text.charAt(0)) || text.charAt(0) == '-')) {
                    throw new IllegalArgumentException(
                            "margin: expected auto, none, end or a span such as 50ms, got '%s'%s"
                                    .formatted(text, NearWord.hint(text, List.of("auto", "none", "end"))));
                }
                if (text.charAt(0) == '-') {
                    throw new IllegalArgumentException(
                            "margin: expected a span greater than zero, got %s; for no margin say none"
                                    .formatted(text));
                }
                yield of(Spans.parse(text));
            }
        };
    }
}
