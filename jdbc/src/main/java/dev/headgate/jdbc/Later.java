package dev.headgate.jdbc;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were asked for and may still be on their way: the first look waits for them. What is asked for before that look
 * travels with them, so whoever wants several answers asks for all and then reads. Good only within its transaction.
 */
final class Later<T> extends AbstractList<T> {
    private final Supplier<List<T>> source;
    private @Nullable List<T> rows;

    /** @param source waits for the answer; called once */
    Later(Supplier<List<T>> source) {
        this.source = source;
    }

    private List<T> rows() {
        List<T> known = rows;
        if (known == null) {
            known = source.get();
            rows = known;
        }
        return known;
    }

    @Override
    public T get(int index) {
        return rows().get(index);
    }

    @Override
    public int size() {
        return rows().size();
    }
}
