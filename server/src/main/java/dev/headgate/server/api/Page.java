package dev.headgate.server.api;

import dev.headgate.server.route.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that is sorted by name.
 *
 * @param next the cursor of the part behind it; absent if this was the last
 */
record Page<T>(List<T> items, @Nullable String next) {
    private static final int LIMIT_MAX = 1_000;
    private static final int LIMIT_DEFAULT = 100;

    /** How many the request asks for. */
    static int limit(Call call) {
        return call.query().number("limit", 1, LIMIT_MAX, LIMIT_DEFAULT);
    }

    /** The name behind which the request goes on; absent if it begins. */
    static @Nullable String after(Call call, String list, String... filter) {
        String cursor = call.query().text("cursor");
        return cursor == null ? null : Cursor.read(cursor, mark(list, filter));
    }

    /** The part that the request asks for, of all there is. */
    static <T> Page<T> of(Call call, String list, List<T> all, Function<T, String> name, String... filter) {
        String after = after(call, list, filter);
        List<T> rest = all.stream()
                .filter(item -> after == null || name.apply(item).compareTo(after) > 0)
                .sorted(Comparator.comparing(name))
                .limit(limit(call) + 1L)
                .toList();
        return cut(call, list, rest, name, filter);
    }

    /** The same of a list that was read from there on, with one more than was asked for if there are more. */
    static <T> Page<T> cut(Call call, String list, List<T> rest, Function<T, String> name, String... filter) {
        int limit = limit(call);
        if (rest.size() <= limit) {
            return new Page<>(rest, null);
        }
        List<T> shown = rest.subList(0, limit);
        return new Page<>(shown, Cursor.of(name.apply(shown.getLast()), mark(list, filter)));
    }

    /** A cursor belongs to one list, with one filter. */
    private static List<String> mark(String list, String... filter) {
        List<String> mark = new ArrayList<>(List.of(filter));
        mark.add(list);
        return mark;
    }
}
