package dev.headgate.store;

import dev.headgate.admission.GateKey;
import java.util.List;

/** Evidence of what gates let start. Rows are appended under the gate's lock, so a gate's rows are in order. */
public interface JournalTable {
    /** What an entry is about. */
    enum Kind {
        /** Jobs started. */
        START,
        /** A job settled its cost: {@code units} more than charged, or fewer. */
        SETTLE,
        /** An operator made the gate as new: what had been spent no longer counts. */
        CLEAR
    }

    /**
     * One gate in one batch.
     *
     * @param id rises; 0 before it is stored
     * @param starts how many jobs started, all at this instant
     * @param units what they cost here together
     * @param leases jobs that hold a place after it
     * @param inUse units they hold after it
     * @param startedAt when the job started whose cost was settled; else 0
     * @param policy the limits that decided, as text
     * @param keepUntil until when it is kept
     */
    record Entry(
            long id,
            GateKey gate,
            long at,
            Kind kind,
            long starts,
            long units,
            long leases,
            long inUse,
            long startedAt,
            String policy,
            long keepUntil) {
        public Entry withId(long given) {
            return new Entry(given, gate, at, kind, starts, units, leases, inUse, startedAt, policy, keepUntil);
        }
    }

    void append(List<Entry> entries);

    /** The entries of one gate after this id, in order. */
    List<Entry> read(GateKey gate, long after, int limit);

    /** Every gate that has entries. */
    List<GateKey> gates();

    /** Deletes what need not be kept any more; answers how many. */
    int prune(long now, int limit);
}
