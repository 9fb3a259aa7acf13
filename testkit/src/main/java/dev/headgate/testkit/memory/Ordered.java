package dev.headgate.testkit.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Some of the rows, in groups, each group in order. A claim reads the first few of a group and nothing else. */
final class Ordered<G, V> implements Index<V> {
    private final Function<V, @Nullable G> group;
    private final Comparator<V> order;
    private final Map<G, NavigableSet<V>> groups = new HashMap<>();

    /**
     * @param group to which group a row belongs; null leaves the row out
     * @param order total: equal rows are one row
     */
    Ordered(Function<V, @Nullable G> group, Comparator<V> order) {
        this.group = group;
        this.order = order;
    }

    @Override
    public void add(V row) {
        G at = group.apply(row);
        if (at != null) {
            groups.computeIfAbsent(at, g -> new TreeSet<>(order)).add(row);
        }
    }

    @Override
    public void remove(V row) {
        G at = group.apply(row);
        NavigableSet<V> rows = at == null ? null : groups.get(at);
        if (at != null && rows != null) {
            rows.remove(row);
            if (rows.isEmpty()) {
                groups.remove(at);
            }
        }
    }

    Set<G> groups() {
        return groups.keySet();
    }

    Collection<V> in(G wanted) {
        NavigableSet<V> rows = groups.get(wanted);
        return rows == null ? List.of() : rows;
    }

    @Nullable
    V first(G wanted) {
        NavigableSet<V> rows = groups.get(wanted);
        return rows == null ? null : rows.first();
    }

    List<V> first(G wanted, int limit) {
        NavigableSet<V> rows = groups.get(wanted);
        if (rows == null || limit < 1) {
            return List.of();
        }
        List<V> first = new ArrayList<>(Math.min(limit, rows.size()));
        addFirst(rows, limit, first);
        return first;
    }

    private static <V> void addFirst(Collection<V> rows, int limit, List<V> to) {
        int left = limit;
        for (V row : rows) {
            if (left-- <= 0) {
                return;
            }
            to.add(row);
        }
    }

    /** The first rows of several groups together. */
    List<V> first(Collection<? extends G> wanted, int limit) {
        List<V> all = new ArrayList<>();
        for (G each : distinct(wanted)) {
            addFirst(in(each), limit, all);
        }
        all.sort(order);
        return all.size() <= limit ? all : new ArrayList<>(all.subList(0, limit));
    }

    /** The first row of several groups. */
    @Nullable
    V firstOf(Collection<? extends G> wanted) {
        V first = null;
        for (G each : wanted) {
            V row = first(each);
            first = first == null || (row != null && order.compare(row, first) < 0) ? row : first;
        }
        return first;
    }

    private static <G> Collection<? extends G> distinct(Collection<? extends G> wanted) {
        return wanted.size() < 2 || wanted instanceof Set ? wanted : new LinkedHashSet<>(wanted);
    }
}
