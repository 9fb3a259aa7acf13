package dev.headgate.benchmarks.provider;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a provider allows: a number of calls in a period, and how it counts them. */
record Allowance(Kind kind, int count, Duration per) {
    /** How a provider counts. */
    enum Kind {
        /** At most {@code count} in any half-open interval of one period. */
        SLIDING,
        /** At most {@code count} in each period of its wall clock. */
        FIXED,
        /** A bucket of {@code count} tokens that fills in one period. */
        BUCKET;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String id) {
            for (Kind kind : values()) {
                if (kind.id().equals(id)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("kinds: expected sliding, fixed or bucket, got '%s'".formatted(id));
        }
    }

    private static final Pattern FIGURES = Pattern.compile("([1-9][0-9]{0,5})/([1-9][0-9]{0,5})(ms|s)");

    /** From figures such as {@code 20/1s}. */
    static Allowance of(Kind kind, String figures) {
        Matcher matcher = FIGURES.matcher(figures);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("allows: expected figures such as 20/1s, got '%s'".formatted(figures));
        }
        long span = Long.parseLong(matcher.group(2));
        Duration per = matcher.group(3).equals("s") ? Duration.ofSeconds(span) : Duration.ofMillis(span);
        return new Allowance(kind, Integer.parseInt(matcher.group(1)), per);
    }

    /** {@code 20/1s}. */
    String figures() {
        long millis = per.toMillis();
        return count + "/" + (millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms");
    }

    double perSecond() {
        return count / (per.toNanos() / 1e9);
    }

    /** The most that can be accepted in a half-open interval of so many periods: a bucket is full at first. */
    long most(long periods) {
        return count * (kind == Kind.BUCKET ? periods + 1 : periods);
    }

    /** The time in which a period divides evenly, for those that spread calls. */
    Duration spacing() {
        return per.dividedBy(count);
    }

    /** The limit with these figures copied into a gate, or spread evenly with a burst of one. */
    String gate(boolean isSpaced) {
        if (isSpaced) {
            return "rate %s burst 1".formatted(figures());
        }
        return kind == Kind.BUCKET ? "rate %s burst %d".formatted(figures(), count) : "window " + figures();
    }
}
