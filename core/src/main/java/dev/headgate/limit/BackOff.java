package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;

/**
 * How long a gate stays closed after rejections that come one after the other: {@code initial} after the first, then
 * longer by {@code percent} of the one before (200 is twice as long) up to {@code maximum}. A random jitter of up to as
 * much again is always added, so that callers of the same provider do not come back together.
 */
public record BackOff(Duration initial, int percent, Duration maximum) {
    private static final Duration LONGEST = Duration.ofDays(366);

    public static final BackOff DEFAULT = new BackOff(Duration.ofSeconds(1), 200, Duration.ofMinutes(10));

    /** What the jitter is a part of: {@code JITTER_FULL - 1} is just under the whole. */
    public static final int JITTER_FULL = 1_000_000;

    public BackOff {
        if (Micros.of(initial) < 1) {
            throw new IllegalArgumentException(
                    "back-off: expected an initial time of more than 0, got %s".formatted(Spans.text(initial)));
        }
        if (percent <= 100 || percent > 10_000) {
            throw new IllegalArgumentException(
                    "back-off: expected a multiplier of more than 1 and at most 100, got %s; try x2"
                            .formatted(multiplierText(percent)));
        }
        if (maximum.compareTo(initial) <= 0 || maximum.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "back-off: expected a maximum above the initial %s and of at most 366 days, got %s"
                            .formatted(Spans.text(initial), Spans.text(maximum)));
        }
    }

    /** How long the gate stays closed after the {@code streak}th rejection in a row, in microseconds. */
    public long micros(int streak, int jitter) {
        long most = Micros.of(maximum);
        long span = Micros.of(initial);
        for (int i = 1; i < streak && span < most; i++) {
            span = Math.min(most, Math.ceilDiv(span * percent, 100));
        }
        // A year in microseconds times a million does not fit; whole and rest apart do.
        return span + span / JITTER_FULL * jitter + span % JITTER_FULL * jitter / JITTER_FULL;
    }

    private static String multiplierText(int percent) {
        String cents = "%d.%02d".formatted(percent / 100, Math.abs(percent % 100));
        return "x" + cents.replaceAll("\\.?0+$", "");
    }

    /** The form that {@link GatePolicy#parse} reads: {@code back-off 1s x2 max 10m}. */
    public String text() {
        return "back-off %s %s max %s".formatted(Spans.text(initial), multiplierText(percent), Spans.text(maximum));
    }

    /** Reads {@code 1s x2 max 10m}: what {@link #text} writes, without its first word. */
    static BackOff parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != 4 || !words[1].matches("x\\d{1,3}(\\.\\d{1,2})?") || !words[2].equals("max")) {
            throw new IllegalArgumentException(
                    "back-off '%s': expected a form such as back-off 1s x2 max 10m".formatted(text.strip()));
        }
        String[] multiplier = words[1].substring(1).split("\\.", -1);
        int cents = multiplier.length == 1 ? 0 : Integer.parseInt((multiplier[1] + "0").substring(0, 2));
        return new BackOff(Spans.parse(words[0]), Integer.parseInt(multiplier[0]) * 100 + cents, Spans.parse(words[3]));
    }
}
