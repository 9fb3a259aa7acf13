package dev.headgate.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Limits as text: the form in the store, in commands and in messages. */
public final class LimitText {
    private static final String FORMS =
            "concurrency 3 | budget 100 | rate 20/1s | rate 20/1s burst 5 | rate 90000/1m by-cost";

    private LimitText() {}

    /** Reads one limit; {@link Limit#text} writes it. */
    public static Limit parse(String text) {
        String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+");
        try {
            return switch (words[0]) {
                case "concurrency" -> new Concurrency(only(words, text));
                case "budget" -> new Budget(only(words, text));
                case "rate" -> rate(words, text);
                default -> throw unreadable(text, "unknown kind of limit '%s'".formatted(words[0]));
            };
        } catch (NumberFormatException notANumber) {
            throw unreadable(text, "not a whole number");
        }
    }

    /** Reads limits joined by semicolons. */
    public static List<Limit> parseAll(String text) {
        List<Limit> limits = new ArrayList<>();
        for (String part : text.split(";", -1)) {
            if (!part.isBlank()) {
                limits.add(parse(part));
            }
        }
        return List.copyOf(limits);
    }

    public static String text(List<Limit> limits) {
        return String.join("; ", limits.stream().map(Limit::text).toList());
    }

    private static long only(String[] words, String text) {
        if (words.length != 2) {
            throw unreadable(text, "expected one number");
        }
        return Long.parseLong(words[1]);
    }

    private static Rate rate(String[] words, String text) {
        if (words.length < 2) {
            throw unreadable(text, "expected count/period");
        }
        String[] ratio = words[1].split("/", -1);
        if (ratio.length != 2) {
            throw unreadable(text, "expected count/period");
        }
        Rate rate = Limit.rate(Long.parseLong(ratio[0])).per(Spans.parse(ratio[1]));
        boolean byCost = false;
        long burst = 0;
        for (int i = 2; i < words.length; i++) {
            if (words[i].equals("by-cost")) {
                byCost = true;
            } else if (words[i].equals("burst") && i + 1 < words.length) {
                burst = Long.parseLong(words[++i]);
                rate = rate.burst(burst);
            } else {
                throw unreadable(text, "unexpected '%s'".formatted(words[i]));
            }
        }
        if (!byCost) {
            return rate;
        }
        return burst == 0 ? rate.byCost() : new Rate(rate.count(), rate.per(), burst, true);
    }

    private static IllegalArgumentException unreadable(String text, String why) {
        return new IllegalArgumentException("limit '%s': %s; expected a form such as %s".formatted(text, why, FORMS));
    }
}
