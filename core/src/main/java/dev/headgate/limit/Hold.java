package dev.headgate.limit;

import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is shut until an instant, for everybody at once.
 *
 * @param since when it was shut; a rejection of a job that started before tells nothing new
 * @param until when it opens
 * @param streak rejections in a row that led here; 0 if somebody shut it by hand
 * @param isProbing after {@code until} one job goes ahead, the others follow when it has come back well
 * @param probe the job that went ahead; {@link #NO_PROBE} if none
 * @param reason why, for people
 */
public record Hold(long since, long until, int streak, boolean isProbing, long probe, String reason) {
    /** The longest hold, and the longest wait that is believed of what pushes back. */
    public static final Duration SPAN_MAX = Duration.ofDays(366);

    public static final long NO_PROBE = 0;
    private static final int REASON_MAX = 200;

    public Hold {
        reason = Text.storable(reason, REASON_MAX);
    }

    /**
     * How long something asks to be left alone, in microseconds: less than nothing is nothing, and what is longer than
     * {@link #SPAN_MAX} is cut to that. Absent if it did not say.
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
                // Shut again while its probe was out: what that one brings back is no answer for the new hold.
                isLater ? NO_PROBE : probe,
                isLater ? newReason : reason);
    }

    public Hold withProbe(long job) {
        return new Hold(since, until, streak, isProbing, job, reason);
    }

    /** Whether it still says anything at that time. */
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
