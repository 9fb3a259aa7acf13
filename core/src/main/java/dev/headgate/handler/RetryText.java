package dev.headgate.handler;

import dev.headgate.handler.RetryPolicy.Growth;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.Locale;

/** Retry policies as text. */
final class RetryText {
    private static final String FORMS = "none | fixed 5s | linear 10s max 5m | exponential 1s x2 max 10m jitter 20%";

    private RetryText() {}

    static String text(RetryPolicy policy) {
        String growth =
                switch (policy.growth()) {
                    case Growth.None none -> "none";
                    case Growth.Fixed(Duration delay) -> "fixed " + Spans.text(delay);
                    case Growth.Linear(Duration step) -> "linear " + Spans.text(step);
                    case Growth.Exponential(Duration first, int factor) ->
                        "exponential %s x%d".formatted(Spans.text(first), factor);
                };
        if (policy.growth() instanceof Growth.None) {
            return growth;
        }
        String jitter = policy.jitter() == 0 ? "" : " jitter %d%%".formatted(policy.jitter());
        return "%s max %s%s".formatted(growth, Spans.text(policy.max()), jitter);
    }

    static RetryPolicy parse(String text) {
        String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+");
        try {
            int at = words[0].equals("none") ? 1 : 2;
            if (words.length < at) {
                throw unreadable(text, "expected a duration after '%s'".formatted(words[0]));
            }
            RetryPolicy policy =
                    switch (words[0]) {
                        case "none" -> RetryPolicy.none();
                        case "fixed" -> RetryPolicy.fixed(Spans.parse(words[1]));
                        case "linear" -> RetryPolicy.linear(Spans.parse(words[1]));
                        case "exponential" -> RetryPolicy.exponential(Spans.parse(words[1]));
                        default -> throw unreadable(text, "unknown kind '%s'".formatted(words[0]));
                    };
            return options(policy, words, at, text);
        } catch (NumberFormatException notANumber) {
            throw unreadable(text, "not a whole number");
        }
    }

    private static RetryPolicy options(RetryPolicy policy, String[] words, int from, String text) {
        RetryPolicy read = policy;
        for (int i = from; i < words.length; i++) {
            if (words[i].startsWith("x") && read.growth() instanceof Growth.Exponential(Duration first, int factor)) {
                Growth growth = new Growth.Exponential(first, Integer.parseInt(words[i].substring(1)));
                read = new RetryPolicy(growth, read.max(), read.jitter());
            } else if (words[i].equals("max") && i + 1 < words.length) {
                read = read.max(Spans.parse(words[++i]));
            } else if (words[i].equals("jitter") && i + 1 < words.length) {
                String percent = words[++i];
                read = read.jitter(
                        Integer.parseInt(percent.endsWith("%") ? percent.substring(0, percent.length() - 1) : percent));
            } else {
                throw unreadable(text, "unexpected '%s'".formatted(words[i]));
            }
        }
        return read;
    }

    private static IllegalArgumentException unreadable(String text, String why) {
        return new IllegalArgumentException(
                "retry policy '%s': %s; expected a form such as %s".formatted(text, why, FORMS));
    }
}
