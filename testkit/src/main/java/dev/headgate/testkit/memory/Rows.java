package dev.headgate.testkit.memory;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows by key, with their indexes. Rows are values: a change replaces the row and can be undone by the journal. */
final class Rows<K extends Comparable<K>, V> {
    private final Journal journal;
    private final Function<V, K> key;
    private final Index<V>[] indexes;
    private final NavigableMap<K, V> byKey = new TreeMap<>();

    Rows(Journal journal, Function<V, K> key, List<Index<V>> indexes) {
        this.journal = journal;
        this.key = key;
        this.indexes = indexes.toArray(Rows::array);
    }

    @SuppressWarnings("unchecked") // only indexes of these rows are put into it
    private static <V> Index<V>[] array(int size) {
        return (Index<V>[]) new Index<?>[size];
    }

    @Nullable
    V get(K wanted) {
        return byKey.get(wanted);
    }

    NavigableMap<K, V> all() {
        return byKey;
    }

    void put(V row) {
        K at = key.apply(row);
        V before = byKey.get(at);
        swap(at, before, row);
        journal.note(() -> swap(at, row, before));
    }

    @Nullable
    V remove(K gone) {
        V before = byKey.get(gone);
        if (before != null) {
            swap(gone, before, null);
            journal.note(() -> swap(gone, null, before));
        }
        return before;
    }

    private void swap(K at, @Nullable V before, @Nullable V after) {
        if (before != null) {
            for (Index<V> index : indexes) {
                index.remove(before);
            }
        }
        if (after == null) {
            byKey.remove(at);
        } else {
            byKey.put(at, after);
            for (Index<V> index : indexes) {
                index.add(after);
            }
        }
    }
}
