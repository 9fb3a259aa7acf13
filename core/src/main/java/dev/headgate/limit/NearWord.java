package dev.headgate.limit;

import java.util.Comparator;
import java.util.List;

/** Finds the known word that a misspelt word may mean. */
final class NearWord {
    private NearWord() {}

    /** {@code ; did you mean 'window'?}, or nothing if no known word is near. */
    static String hint(String typed, List<String> known) {
        return known.stream()
                .filter(word -> distance(typed, word) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt(word -> distance(typed, word)))
                .map("; did you mean '%s'?"::formatted)
                .orElse("");
    }

    /** Letters to add, drop or change. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
