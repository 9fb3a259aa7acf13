package dev.headgate.testkit.memory;

/** Something kept in step with the rows of a {@link Rows}. */
interface Index<V> {
    void add(V row);

    void remove(V row);
}
