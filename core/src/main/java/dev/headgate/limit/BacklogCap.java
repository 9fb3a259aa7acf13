package dev.headgate.limit;

import java.time.Duration;

/**
 * How many jobs of a key may wait, due or not, and what happens to the next one. As text {@code backlog 1000 reject},
 * {@code backlog 1000 drop-oldest}, {@code backlog 1000 block 10s}.
 *
 * @param patience how long an enqueue waits for room if it blocks; zero otherwise
 */
public record BacklogCap(int max, Overflow overflow, Duration patience) {
    private static final int CAP_MAX = 1_000_000;
    private static final Duration WAIT_DEFAULT = Duration.ofSeconds(30);
    private static final Duration WAIT_MAX = Duration.ofHours(1);

    /** What happens to a job that finds the backlog full. */
    public enum Overflow {
        /** The enqueue fails and stores nothing. */
        REJECT,
        /** The jobs that have waited longest are cancelled to make room. */
        DROP_OLDEST,
        /** The enqueue waits for room, and fails if none comes in time. */
        BLOCK
    }

    public BacklogCap {
        if (max < 1 || max > CAP_MAX) {
            throw new IllegalArgumentException("backlog: expected 1 to %d jobs, got %d".formatted(CAP_MAX, max));
        }
        if (patience.isNegative()
                || patience.compareTo(WAIT_MAX) > 0
                || (overflow == Overflow.BLOCK) == patience.isZero()) {
            throw new IllegalArgumentException("backlog %d: expected to wait for up to %s with block, got %s %s"
                    .formatted(max, Spans.text(WAIT_MAX), overflow, patience));
        }
    }

    public static BacklogCap reject(int max) {
        return new BacklogCap(max, Overflow.REJECT, Duration.ZERO);
    }

    public static BacklogCap dropOldest(int max) {
        return new BacklogCap(max, Overflow.DROP_OLDEST, Duration.ZERO);
    }

    public static BacklogCap block(int max, Duration patience) {
        return new BacklogCap(max, Overflow.BLOCK, patience);
    }

    String text() {
        return switch (overflow) {
            case REJECT -> "backlog %d reject".formatted(max);
            case DROP_OLDEST -> "backlog %d drop-oldest".formatted(max);
            case BLOCK -> "backlog %d block %s".formatted(max, Spans.text(patience));
        };
    }

    /** Reads the words after {@code backlog}. */
    static BacklogCap parse(String[] words) {
        String how = words.length > 2 ? words[2] : "reject";
        int most = how.equals("block") ? 4 : 3;
        if (words.length < 2 || words.length > most) {
            throw unreadable(words);
        }
        int max = whole(words);
        return switch (how) {
            case "reject" -> reject(max);
            case "drop-oldest" -> dropOldest(max);
            case "block" -> block(max, words.length > 3 ? Spans.parse(words[3]) : WAIT_DEFAULT);
            default -> throw unreadable(words);
        };
    }

    private static int whole(String[] words) {
        try {
            return Integer.parseInt(words[1]);
        } catch (NumberFormatException notWhole) {
            throw unreadable(words);
        }
    }

    private static IllegalArgumentException unreadable(String[] words) {
        return new IllegalArgumentException(
                "'%s': expected backlog 1000 reject | backlog 1000 drop-oldest | backlog 1000 block 10s"
                        .formatted(String.join(" ", words)));
    }
}
