package dev.headgate.limit;

import java.util.Collection;

/**
 * Shares a queue or gate among the keys that a pattern names, each by its weight, whatever their backlogs: with {@code
 * fair by tenant:*} a tenant of a thousand lanes gets no more than a tenant of one. A job belongs to the first of its
 * gates that matches; jobs without such a gate share as one.
 *
 * @param pattern a name, or a beginning followed by {@code *}
 * @param charge what a start costs its key
 */
public record FairShare(String pattern, Charge charge) {
    /** What a start costs its key. */
    public enum Charge {
        /** One, whatever it does. */
        JOBS,
        /** Its cost at this gate. */
        COST,
        /** The time it runs, counted while it runs. */
        TIME
    }

    public FairShare {
        if (pattern.isBlank() || pattern.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "fair: expected a pattern without spaces such as tenant:*, got '%s'".formatted(pattern));
        }
    }

    /** The key of jobs that name these gates: the first that matches; empty if none does. */
    public String keyOf(Collection<String> gates) {
        for (String gate : gates) {
            if (names(gate)) {
                return gate;
            }
        }
        return "";
    }

    private boolean names(String gate) {
        return pattern.endsWith("*")
                ? gate.startsWith(pattern.substring(0, pattern.length() - 1))
                : gate.equals(pattern);
    }

    String text() {
        String by = "fair by " + pattern;
        return switch (charge) {
            case JOBS -> by;
            case COST -> by + " by-cost";
            case TIME -> by + " by-time";
        };
    }

    /** Reads the words after {@code fair}. */
    static FairShare parse(String[] words) {
        boolean isShaped = (words.length == 3 || words.length == 4) && words[1].equals("by");
        if (!isShaped) {
            throw unreadable(words);
        }
        if (words.length == 3) {
            return new FairShare(words[2], Charge.JOBS);
        }
        return switch (words[3]) {
            case "by-cost" -> new FairShare(words[2], Charge.COST);
            case "by-time" -> new FairShare(words[2], Charge.TIME);
            default -> throw unreadable(words);
        };
    }

    private static IllegalArgumentException unreadable(String[] words) {
        return new IllegalArgumentException(
                "'%s': expected fair by tenant:* | fair by tenant:* by-cost | fair by tenant:* by-time"
                        .formatted(String.join(" ", words)));
    }
}
