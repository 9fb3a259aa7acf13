package dev.headgate.spi;

import dev.headgate.limit.GateKey;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Gates and the built-in gates of queues: what is in use, and when time will open them. */
public interface GateTable {
    /** Locks the rows in key order, creating those that are new. One call per scope and transaction, queues first. */
    Pending<List<GateRow>> lock(SortedSet<GateKey> keys);

    /**
     * The same, and then, without waiting, those of the others that no other transaction has locked. Nothing is waited for while one
     * of the others is held, so they need no order.
     */
    List<GateRow> lock(SortedSet<GateKey> keys, SortedSet<GateKey> others);

    /** Locks those of these rows that are there and that no other transaction has locked. Waits for none, and creates none. */
    List<GateRow> lockFree(SortedSet<GateKey> keys);

    void save(List<GateRow> rows);

    /** Deletes rows that are locked. */
    void delete(SortedSet<GateKey> keys);

    /** A gate with a line, and the time at which that may move. */
    record Opening(GateKey gate, long at) {}

    /** Gates whose line waits for time: up to {@code limit} that open until then, and the first {@code more} after that. */
    Pending<List<Opening>> openings(long until, int limit, int more);

    /** The earliest wake time of all; absent if no line waits for time. */
    @Nullable
    Long nextWake();

    List<GateRow> findAll(Collection<GateKey> keys);

    /** Queues with something in use, or noted as such while they were counted. Gates are passed by. */
    List<GateRow> queuesInUse();

    /** All gates in key order, after the given one. */
    List<GateRow> list(@Nullable GateKey after, int limit);
}
