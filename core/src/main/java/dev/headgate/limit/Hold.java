package dev.headgate.limit;

import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is closed until an instant, for all jobs and limiters.
 *
 * @param since when it was closed; a rejection of a job that started before says nothing new
 * @param until when it opens
 * @param streak rejections in a row that led here; 0 if a person closed it
 * @param isProbing after {@code until} one job goes ahead, the others follow when it has come back well
 * @param probe the job that went ahead; {@link #NO_PROBE} if none
 * @param reason why, for people
 */
public record Hold(long since, long until, int streak, boolean isProbing, long probe, String reason) {
    /** The longest hold, and the longest wait that is accepted from what pushes back. */
    public static final Duration SPAN_MAX = Duration.ofDays(366);

    public static final long NO_PROBE = 0;
    private static final int REASON_MAX = 200;

    public Hold {
        reason = Text.storable(reason, REASON_MAX);
    }

    /**
     * A requested wait in microseconds: 0 if negative, cut to {@link #SPAN_MAX} if longer. Absent if none was
     * requested.
     */
    public static @Nullable Long waitMicros(@Nullable Duration asked) {
        return asked == null ? null : Long.valueOf(Micros.of(bounded(asked)));
    }

    /** The same as a span. */
    public static Duration bounded(Duration asked) {
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(SPAN_MAX) > 0 ? SPAN_MAX : asked;
    }

    /** Of two holds the later one stands; what the gate knows of rejections stays with it. */
    public Hold extended(long newUntil, boolean thenProbe, String newReason) {
        boolean isLater = newUntil > until;
        return new Hold(
                since,
                isLater ? newUntil : until,
                streak,
                isProbing || thenProbe,
                // Closed again while its probe was out: the result of that probe says nothing about the new hold.
                isLater ? NO_PROBE : probe,
                isLater ? newReason : reason);
    }

    public Hold withProbe(long job) {
        return new Hold(since, until, streak, isProbing, job, reason);
    }

    /** Whether it has no effect any more at that time. */
    public boolean isOver(long clock) {
        return clock >= until && !isProbing;
    }

    public String figures() {
        String why = reason.isBlank() ? "held" : "held: " + Text.visible(reason);
        return streak < 2 ? why : "%s (rejection %d in a row)".formatted(why, streak);
    }

    public String text() {
        return since + "," + until + "," + streak + "," + (isProbing ? 1 : 0) + "," + probe + "," + encoded(reason);
    }

    public static Hold parse(String text) {
        String[] parts = text.split(",", 6);
        return new Hold(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Integer.parseInt(parts[2]),
                parts[3].equals("1"),
                Long.parseLong(parts[4]),
                decoded(parts[5]));
    }

    /** Letters, digits and a few signs as they are, a space as +, the rest as its four hex digits. */
    private static String encoded(String reason) {
        StringBuilder text = new StringBuilder(reason.length());
        for (int i = 0; i < reason.length(); i++) {
            char c = reason.charAt(i);
            if (c < 128 && (Character.isLetterOrDigit(c) || ".-_:/,()".indexOf(c) >= 0)) {
                text.append(c);
            } else {
                text.append(c == ' ' ? "+" : "%%%04x".formatted((int) c));
            }
        }
        return text.toString();
    }

    private static String decoded(String text) {
        StringBuilder reason = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                reason.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                reason.append(c == '+' ? ' ' : c);
            }
        }
        return reason.toString();
    }
}
