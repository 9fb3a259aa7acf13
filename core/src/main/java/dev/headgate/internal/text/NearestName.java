package dev.headgate.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Known names close to a mistyped one. */
public final class NearestName {
    private static final int SHOWN_MAX = 3;

    private NearestName() {}

    /** The closest of the known names, nearest first, at most three; empty if none is close. */
    public static List<String> names(String typed, Collection<String> known) {
        int tolerance = Math.max(1, typed.length() / 3);
        return known.stream()
                .distinct()
                .filter(name -> distance(typed, name) <= tolerance)
                .sorted(Comparator.comparingInt((String name) -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SHOWN_MAX)
                .toList();
    }

    /** {@code ; did you mean 'mail'?}, or the known names if there are few, or nothing. */
    public static String hint(String typed, Collection<String> known) {
        List<String> near = names(typed, known);
        if (!near.isEmpty()) {
            return "; did you mean " + String.join(" or ", quoted(near)) + "?";
        }
        List<String> all = known.stream().distinct().sorted().toList();
        return all.isEmpty() || all.size() > 12 ? "" : "; there is " + String.join(", ", quoted(all));
    }

    private static List<String> quoted(List<String> names) {
        return names.stream().map(name -> "'" + Text.visible(name) + "'").toList();
    }

    /** Letters to add, drop, change or swap with their neighbour; a common beginning of 3 or more counts as near. */
    private static int distance(String typed, String name) {
        String a = typed.toLowerCase(Locale.ROOT);
        String b = name.toLowerCase(Locale.ROOT);
        if (a.length() >= 3 && b.startsWith(a)) {
            return 1;
        }
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                boolean isSwap =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                cost[i][j] = isSwap ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
            }
        }
        return cost[a.length()][b.length()];
    }
}
