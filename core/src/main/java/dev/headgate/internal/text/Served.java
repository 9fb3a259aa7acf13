package dev.headgate.internal.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The queues of a worker, as it named them: names, and patterns, which are the beginnings of names. A pattern is a text that ends
 * in its only {@code *}; it covers queues that exist and those that come later.
 *
 * @param names queues that were named in full
 * @param prefixes beginnings of names, without the {@code *}; none is the beginning of another one
 */
public record Served(List<String> names, List<String> prefixes) {
    private static final String STAR = "*";

    public Served {
        names = List.copyOf(names);
        prefixes = List.copyOf(prefixes);
    }

    /** Sorts names from patterns. */
    public static Served of(Collection<String> entries) {
        List<String> names = new ArrayList<>(entries.size());
        TreeSet<String> beginnings = new TreeSet<>();
        for (String entry : entries) {
            if (isPattern(entry)) {
                beginnings.add(prefix(entry));
            } else {
                names.add(entry);
            }
        }
        List<String> prefixes = new ArrayList<>();
        for (String beginning : beginnings) {
            // Sorted: what begins with another one comes right behind it.
            if (prefixes.isEmpty() || !beginning.startsWith(prefixes.getLast())) {
                prefixes.add(beginning);
            }
        }
        return new Served(names, prefixes);
    }

    /** Whether this text stands for all names with its beginning. */
    public static boolean isPattern(String entry) {
        return entry.endsWith(STAR);
    }

    /** Whether a worker that named this serves the queue. */
    public static boolean covers(String entry, String queue) {
        return isPattern(entry) ? queue.regionMatches(0, entry, 0, entry.length() - 1) : entry.equals(queue);
    }

    /** Whether a worker that named these serves the queue. */
    public static boolean covers(Collection<String> entries, String queue) {
        if (entries.contains(queue)) {
            return true;
        }
        for (String entry : entries) {
            if (covers(entry, queue)) {
                return true;
            }
        }
        return false;
    }

    /** Complains about what is neither a name of a queue nor a pattern. */
    public static String check(String entry) {
        Names.check("queue", entry);
        int star = entry.indexOf(STAR);
        if (star >= 0 && star < entry.length() - 1) {
            throw new IllegalArgumentException(
                    "queue: expected a name, or a pattern that ends in its only '*', got '%s'; write '%s' for all queues that begin so"
                            .formatted(Text.visible(entry), Text.visible(entry.substring(0, star + 1))));
        }
        return entry;
    }

    private static String prefix(String pattern) {
        return pattern.substring(0, pattern.length() - 1);
    }

    public boolean hasPatterns() {
        return !prefixes.isEmpty();
    }

    public boolean covers(String queue) {
        for (String prefix : prefixes) {
            if (queue.startsWith(prefix)) {
                return true;
            }
        }
        return names.contains(queue);
    }
}
