package dev.headgate.server.http;

import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a query. Each may be there as often as the route says, and one that it does not know is refused: it would be ignored. */
public final class Query {
    private static final int REPEATED_MAX = 100;

    private final Map<String, List<String>> values;

    private Query(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * Reads what stands behind the question mark.
     *
     * @param known the parameters that the route takes
     * @param repeated those of them that may be there more than once
     */
    public static Query parse(String text, Set<String> known, Set<String> repeated) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            for (String pair : text.split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
                if (!known.contains(name)) {
                    throw new ProblemException(
                            Problem.BAD_QUERY,
                            "unknown parameter '%s'; expected %s"
                                    .formatted(name, known.isEmpty() ? "none" : String.join(", ", known)));
                }
                List<String> before = values.computeIfAbsent(name, first -> new ArrayList<>());
                if (before.size() >= (repeated.contains(name) ? REPEATED_MAX : 1)) {
                    throw new ProblemException(
                            Problem.BAD_QUERY,
                            repeated.contains(name)
                                    ? "parameter '%s': expected at most %d times, got more"
                                            .formatted(name, REPEATED_MAX)
                                    : "parameter '%s': expected once, got twice".formatted(name));
                }
                before.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return new Query(values);
    }

    private static String decoded(String text) {
        try {
            return Percent.decode(text, true);
        } catch (IllegalArgumentException unreadable) {
            throw new ProblemException(Problem.BAD_QUERY, String.valueOf(unreadable.getMessage()));
        }
    }

    /** A parameter that may be missing. An empty one counts as missing. */
    public @Nullable String text(String name) {
        List<String> all = texts(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** All values of a parameter that may be there more than once. Empty ones count as missing. */
    public List<String> texts(String name) {
        return values.getOrDefault(name, List.of()).stream()
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /** Whether a parameter says {@code true}; false if it is missing. */
    public boolean flag(String name) {
        String value = text(name);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new ProblemException(
                Problem.BAD_QUERY, "parameter '%s': expected true or false, got '%s'".formatted(name, value));
    }

    /** A span such as {@code 30s}; absent if the parameter is missing. */
    public @Nullable Duration span(String name) {
        String value = text(name);
        try {
            return value == null ? null : Spans.parse(value);
        } catch (IllegalArgumentException unreadable) {
            throw new ProblemException(
                    Problem.BAD_QUERY, "parameter '%s': %s".formatted(name, unreadable.getMessage()));
        }
    }

    /** One of the constants, in small letters; absent if the parameter is missing. */
    public <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> constants) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        for (E constant : constants.getEnumConstants()) {
            if (word(constant).equals(value)) {
                return constant;
            }
        }
        throw new ProblemException(
                Problem.BAD_QUERY,
                "parameter '%s': expected %s, got '%s'"
                        .formatted(
                                name,
                                Arrays.stream(constants.getEnumConstants())
                                        .map(Query::word)
                                        .collect(Collectors.joining(", ")),
                                value));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A positive number of any size, such as that of a job. The parameter must be there. */
    public long number(String name) {
        String value = String.valueOf(text(name));
        if (value.matches("[1-9][0-9]{0,17}")) {
            return Long.parseLong(value);
        }
        throw new ProblemException(
                Problem.BAD_QUERY, "parameter '%s': expected a positive number, got '%s'".formatted(name, value));
    }

    /** A whole number within bounds, or this one if the parameter is missing. */
    public int number(String name, int least, int most, int missing) {
        String value = text(name);
        if (value == null) {
            return missing;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new ProblemException(
                Problem.BAD_QUERY,
                "parameter '%s': expected a whole number from %d to %d, got '%s'".formatted(name, least, most, value));
    }
}
