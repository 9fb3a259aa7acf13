package dev.headgate.job;

import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Small texts that a job or run carries, by name. Labels are for people and for search: {@code team=mail}. Headers are context
 * that is handed on: a {@code traceparent}, or the name of the program that enqueued it. Immutable.
 *
 * @param labels at most {@value #COUNT_MAX}
 * @param headers at most {@value #COUNT_MAX}; their names are in lower case
 */
public record Attributes(SortedMap<String, String> labels, SortedMap<String, String> headers) {
    /** The most labels, and the most headers. */
    public static final int COUNT_MAX = 16;

    /** The most characters of a name. */
    public static final int NAME_MAX = 63;

    /** The most characters of the value of a label. */
    public static final int LABEL_MAX = 200;

    /** The most characters of the value of a header. */
    public static final int HEADER_MAX = 1_000;

    /** The most characters of all names and values together. */
    public static final int TOTAL_MAX = 8_000;

    /** Neither labels nor headers. */
    public static final Attributes NONE = new Attributes(new TreeMap<>(), new TreeMap<>());

    public Attributes {
        labels = Kind.LABEL.checked(labels);
        headers = Kind.HEADER.checked(headers);
        int total = length(labels) + length(headers);
        if (total > TOTAL_MAX) {
            throw new IllegalArgumentException(
                    "labels and headers: expected at most %d characters in all, got %d; put more into the payload"
                            .formatted(TOTAL_MAX, total));
        }
    }

    /** What is checked of a pair. */
    private enum Kind {
        LABEL("label", LABEL_MAX),
        HEADER("header", HEADER_MAX);

        private final String word;
        private final int valueMax;

        Kind(String word, int valueMax) {
            this.word = word;
            this.valueMax = valueMax;
        }

        SortedMap<String, String> checked(Map<String, String> pairs) {
            TreeMap<String, String> checked = new TreeMap<>();
            pairs.forEach((name, value) -> {
                String known = this == HEADER ? name.toLowerCase(Locale.ROOT) : name;
                checkName(name);
                checkValue(name, value);
                if (checked.put(known, value) != null) {
                    throw new IllegalArgumentException("%s '%s': expected once, got twice".formatted(word, known));
                }
            });
            if (checked.size() > COUNT_MAX) {
                throw new IllegalArgumentException(
                        "%ss: expected at most %d, got %d".formatted(word, COUNT_MAX, checked.size()));
            }
            return Collections.unmodifiableSortedMap(checked);
        }

        private void checkName(String name) {
            boolean isName = !name.isEmpty()
                    && name.length() <= NAME_MAX
                    && isLetterOrDigit(name.charAt(0))
                    && name.chars().allMatch(c -> isLetterOrDigit((char) c) || "._-/".indexOf(c) >= 0);
            if (!isName) {
                throw new IllegalArgumentException(
                        "%s: expected a name of 1 to %d letters a to z, digits, dots, slashes, - and _, which begins with a letter or digit, got '%s'"
                                .formatted(word, NAME_MAX, Text.visible(shortened(name))));
            }
        }

        private static boolean isLetterOrDigit(char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        }

        /** The value is not repeated: that of a header may be secret. */
        private void checkValue(String name, String value) {
            String what = "%s '%s'".formatted(word, name);
            if (value.isEmpty() || value.length() > valueMax) {
                throw new IllegalArgumentException(
                        "%s: expected a value of 1 to %d characters, got %d".formatted(what, valueMax, value.length()));
            }
            if (value.chars().anyMatch(Character::isISOControl) || !Names.isWellFormed(value)) {
                throw new IllegalArgumentException(
                        "%s: expected a value without control characters and halves of surrogate pairs, got one with"
                                .formatted(what));
            }
        }

        private static String shortened(String name) {
            return name.length() > NAME_MAX ? name.substring(0, NAME_MAX) + "…" : name;
        }
    }

    private static int length(Map<String, String> pairs) {
        return pairs.entrySet().stream()
                .mapToInt(pair -> pair.getKey().length() + pair.getValue().length())
                .sum();
    }

    /** Checks them; allocates nothing if there are none. */
    public static Attributes of(Map<String, String> labels, Map<String, String> headers) {
        return labels.isEmpty() && headers.isEmpty()
                ? NONE
                : new Attributes(new TreeMap<>(labels), new TreeMap<>(headers));
    }

    /** Returns the labels if they are right. */
    public static SortedMap<String, String> checkLabels(Map<String, String> labels) {
        return Kind.LABEL.checked(labels);
    }

    public boolean isEmpty() {
        return labels.isEmpty() && headers.isEmpty();
    }

    /** These and others; of a name that both have, the other's value counts. */
    public Attributes and(Attributes others) {
        if (others.isEmpty() || isEmpty()) {
            return others.isEmpty() ? this : others;
        }
        return new Attributes(both(labels, others.labels), both(headers, others.headers));
    }

    private static SortedMap<String, String> both(SortedMap<String, String> some, SortedMap<String, String> others) {
        TreeMap<String, String> all = new TreeMap<>(some);
        all.putAll(others);
        return all;
    }

    /** Whether it has each of these labels with this value. */
    public boolean hasLabels(Map<String, String> wanted) {
        return wanted.isEmpty() || labels.entrySet().containsAll(wanted.entrySet());
    }
}
