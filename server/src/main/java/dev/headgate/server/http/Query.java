package dev.headgate.server.http;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a query. Each may be there once, and one that the route does not know is refused: it would be ignored. */
public final class Query {
    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads what stands behind the question mark.
     *
     * @param known the parameters that the route takes
     */
    public static Query parse(String text, Set<String> known) {
        Map<String, String> values = new LinkedHashMap<>();
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
                if (values.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1))) != null) {
                    throw new ProblemException(
                            Problem.BAD_QUERY, "parameter '%s': expected once, got twice".formatted(name));
                }
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
        String value = values.get(name);
        return value == null || value.isEmpty() ? null : value;
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
