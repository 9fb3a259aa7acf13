package dev.headgate.limit;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits as text: the form in the store, in commands and in messages. */
final class LimitText {
    private static final List<String> KINDS =
            List.of("concurrency", "budget", "adaptive", "rate", "window", "spaced", "delay", "quota");
    private static final List<String> OTHERS =
            List.of("shadow", "back-off", "backlog", "fair", "weight", "journal", "retention", "requires", "defaults");
    private static final String FORMS = "concurrency 3 | budget 100 | adaptive 1..20 | rate 20/1s burst 5"
            + " | window 50/1m margin 50ms | window 90000/1m by-cost | spaced 10/10s | delay 100ms | quota 1000/day Europe/Berlin";

    private static final String MARGIN = "margin";

    /** A fraction, and not zero; with few enough digits that the same ratio in whole numbers is easy to read. */
    private static final Pattern FRACTION = Pattern.compile("(?!0*\\.0*$)\\d{0,9}\\.\\d{1,3}");

    private static final Pattern SPELLED_UNIT =
            Pattern.compile("(\\d{0,9})(msecs?|millis|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?)");

    private static final Duration HINTED_MAX = Duration.ofDays(366);

    private LimitText() {}

    /** Reads one limit; {@link Limit#text} writes it. */
    static Limit parse(String text) {
        String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+");
        int at = Arrays.asList(words).indexOf(MARGIN);
        if (at < 2) {
            return parse(words, text);
        }
        String value = at + 1 < words.length ? words[at + 1] : "";
        Margin margin;
        try {
            margin = Margin.parse(value);
        } catch (IllegalArgumentException wrong) {
            throw unreadable(text, String.valueOf(wrong.getMessage()), "");
        }
        List<String> others = new ArrayList<>(Arrays.asList(words));
        others.subList(at, at + 2).clear();
        if (others.contains(MARGIN)) {
            throw unreadable(text, "expected one margin, got two", "");
        }
        return with(margin, parse(others.toArray(String[]::new), text), text);
    }

    private static Limit with(Margin margin, Limit limit, String text) {
        return switch (limit) {
            case Rate rate -> rate.margin(margin);
            case Window window -> window.margin(margin);
            case Spaced spaced -> spaced.margin(margin);
            case Quota quota -> quota.margin(margin);
            case Concurrency unit -> throw withoutMargin(text);
            case Budget units -> throw withoutMargin(text);
            case Adaptive bounds -> throw withoutMargin(text);
        };
    }

    private static IllegalArgumentException withoutMargin(String text) {
        return unreadable(
                text, "a limit on what runs at once has no margin: it counts until the handler has ended anyway", "");
    }

    private static Limit parse(String[] words, String text) {
        return switch (words[0]) {
            case "concurrency" -> new Concurrency(whole(only(words, text), text));
            case "budget" -> new Budget(whole(only(words, text), text));
            case "adaptive" -> adaptive(only(words, text), text);
            case "rate" -> rate(words, text);
            case "window" -> {
                Window window = Limit.window(count(words, text)).per(period(words, text));
                yield isByCost(words, 2, text) ? window.byCost() : window;
            }
            case "spaced" -> {
                Spaced spaced = Limit.spaced(count(words, text)).per(period(words, text));
                yield isByCost(words, 2, text) ? spaced.byCost() : spaced;
            }
            case "delay" -> Limit.delay(span(only(words, text), text));
            case "quota" -> quota(words, text);
            default ->
                throw unreadable(
                        text, "unknown kind of limit '%s'".formatted(words[0]), NearWord.hint(words[0], KINDS));
        };
    }

    /** Reads limits joined by semicolons. */
    static List<Limit> parseAll(String text) {
        List<Limit> limits = new ArrayList<>();
        for (String part : text.split(";", -1)) {
            if (!part.isBlank()) {
                limits.add(parse(part));
            }
        }
        return List.copyOf(limits);
    }

    /** Reads limits, limits that are only tried, and the back-off, joined by semicolons. */
    static GatePolicy parsePolicy(String text) {
        List<Limit> limits = new ArrayList<>();
        List<Limit> shadows = new ArrayList<>();
        BackOff backOff = null;
        PolicyOptions options = PolicyOptions.NONE;
        for (String part : text.split(";", -1)) {
            String[] word = part.strip().split("\\s+", 2);
            String rest = word.length < 2 ? "" : word[1];
            switch (word[0].toLowerCase(Locale.ROOT)) {
                case "" -> {}
                case "shadow" -> shadows.add(parse(rest));
                case "back-off" -> {
                    if (backOff != null) {
                        throw new IllegalArgumentException(
                                "policy '%s': expected one back-off, got two".formatted(text));
                    }
                    backOff = BackOff.parse(rest.toLowerCase(Locale.ROOT));
                }
                case "backlog", "fair", "weight", "journal", "retention", "requires", "defaults" ->
                    options = options.and(part);
                default -> {
                    String near = KINDS.contains(word[0]) ? "" : NearWord.hint(word[0], OTHERS);
                    if (!near.isEmpty()) {
                        throw unreadable(part, "unknown kind of limit '%s'".formatted(word[0]), near);
                    }
                    limits.add(parse(part));
                }
            }
        }
        return new GatePolicy(limits, shadows, backOff == null ? BackOff.DEFAULT : backOff, options);
    }

    static String text(List<Limit> limits) {
        return String.join("; ", limits.stream().map(Limit::text).toList());
    }

    private static String only(String[] words, String text) {
        if (words.length != 2) {
            throw unreadable(text, "expected one value after '%s'".formatted(words[0]), "");
        }
        return words[1];
    }

    private static long whole(String number, String text) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException notWhole) {
            throw unreadable(text, "expected a whole number, got '%s'".formatted(number), "");
        }
    }

    private static String[] ratio(String[] words, String text) {
        String[] ratio = words.length < 2 ? new String[0] : words[1].split("/", -1);
        if (ratio.length != 2) {
            throw unreadable(text, "expected count/period after '%s'".formatted(words[0]), "");
        }
        return ratio;
    }

    private static long count(String[] words, String text) {
        String[] ratio = ratio(words, text);
        if (FRACTION.matcher(ratio[0]).matches() && period(words, text).compareTo(HINTED_MAX) <= 0) {
            throw unreadable(
                    text,
                    "expected a whole number, got '%s'".formatted(ratio[0]),
                    "; did you mean '%s %s'?".formatted(words[0], wholeRatio(ratio)));
        }
        return whole(ratio[0], text);
    }

    private static Duration period(String[] words, String text) {
        String[] ratio = ratio(words, text);
        try {
            return Spans.parsePeriod(ratio[1]);
        } catch (IllegalArgumentException wrong) {
            throw unreadable(text, String.valueOf(wrong.getMessage()), unitHint(ratio));
        }
    }

    private static Duration span(String span, String text) {
        try {
            return Spans.parse(span);
        } catch (IllegalArgumentException wrong) {
            throw unreadable(text, String.valueOf(wrong.getMessage()), "");
        }
    }

    /** Units that are spelled out: {@code 5/min} means {@code 5/1m}. */
    private static String unitHint(String[] ratio) {
        Matcher spelled = SPELLED_UNIT.matcher(ratio[1]);
        if (!spelled.matches()) {
            return "";
        }
        String unit = spelled.group(2).startsWith("m") && !spelled.group(2).startsWith("min")
                ? "ms"
                : spelled.group(2).substring(0, 1);
        String amount = spelled.group(1).isEmpty() ? "1" : spelled.group(1);
        return "; did you mean '%s/%s%s'?".formatted(ratio[0], amount, unit);
    }

    /** The same ratio in whole numbers: half a start a second is one in two seconds. */
    private static String wholeRatio(String[] ratio) {
        int point = ratio[0].indexOf('.');
        String decimals = ratio[0].substring(point + 1);
        long units = Long.parseLong(ratio[0].substring(0, point) + decimals);
        long unit = 1;
        for (int i = 0; i < decimals.length(); i++) {
            unit *= 10;
        }
        long shared = commonDivisor(units, unit);
        return units / shared + "/" + Spans.text(Spans.parsePeriod(ratio[1]).multipliedBy(unit / shared));
    }

    private static long commonDivisor(long one, long other) {
        return other == 0 ? one : commonDivisor(other, one % other);
    }

    private static boolean isByCost(String[] words, int from, String text) {
        if (words.length == from) {
            return false;
        }
        if (words.length == from + 1 && words[from].equals("by-cost")) {
            return true;
        }
        throw unreadable(
                text, "unexpected '%s'".formatted(words[from]), NearWord.hint(words[from], List.of("by-cost", MARGIN)));
    }

    private static Limit adaptive(String bounds, String text) {
        String[] ends = bounds.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw unreadable(text, "expected min..max after 'adaptive'", "");
        }
        return new Adaptive(whole(ends[0], text), whole(ends[1], text));
    }

    private static Quota quota(String[] words, String text) {
        String[] ratio = ratio(words, text);
        List<String> periods = new ArrayList<>();
        for (Quota.Period period : Quota.Period.values()) {
            periods.add(period.text());
            if (period.text().equals(ratio[1])) {
                if (words.length < 3) {
                    throw unreadable(text, "expected a time zone after the period, such as UTC", "");
                }
                return new Quota(whole(ratio[0], text), period, zone(words[2], text), isByCost(words, 3, text));
            }
        }
        throw unreadable(
                text, "expected hour, day or month, got '%s'".formatted(ratio[1]), NearWord.hint(ratio[1], periods));
    }

    /** In any case of letters, because the rest of a limit is read that way too. */
    private static ZoneId zone(String name, String text) {
        for (String known : ZoneId.getAvailableZoneIds()) {
            if (known.equalsIgnoreCase(name)) {
                return ZoneId.of(known);
            }
        }
        try {
            return ZoneId.of(name.toUpperCase(Locale.ROOT));
        } catch (DateTimeException unknown) {
            String near = NearWord.hint(
                    name, ZoneId.getAvailableZoneIds().stream().sorted().toList());
            throw unreadable(text, "expected a time zone such as Europe/Berlin, got '%s'".formatted(name), near);
        }
    }

    private static Rate rate(String[] words, String text) {
        Rate rate = Limit.rate(count(words, text)).per(period(words, text));
        boolean byCost = false;
        long burst = 0;
        for (int i = 2; i < words.length; i++) {
            if (words[i].equals("by-cost")) {
                byCost = true;
            } else if (words[i].equals("burst")) {
                if (i + 1 == words.length) {
                    throw unreadable(text, "expected a whole number after 'burst', such as burst 5", "");
                }
                burst = whole(words[++i], text);
                rate = rate.burst(burst);
            } else {
                throw unreadable(
                        text,
                        "unexpected '%s'".formatted(words[i]),
                        NearWord.hint(words[i], List.of("by-cost", "burst", MARGIN)));
            }
        }
        if (!byCost) {
            return rate;
        }
        return burst == 0 ? rate.byCost() : new Rate(rate.count(), rate.per(), burst, true);
    }

    private static IllegalArgumentException unreadable(String text, String why, String near) {
        return new IllegalArgumentException(
                "limit '%s': %s%s; expected a form such as %s".formatted(text.strip(), why, near, FORMS));
    }
}
