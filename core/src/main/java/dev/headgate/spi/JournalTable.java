package dev.headgate.spi;

import dev.headgate.limit.GateKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Evidence of what gates let start. Rows are appended under the gate's lock, so a gate's rows are in order. */
public interface JournalTable {
    /** What an entry is about. */
    enum Kind {
        /** Jobs started. */
        START,
        /** A job settled its cost: {@code units} more than charged, or fewer. */
        SETTLE,
        /**
         * Starts came back: their handlers have ended, so their calls have been made. They count no later than this instant.
         */
        RETURN,
        /** The workers of starts were lost: they count no longer than until a call that was just made has arrived. */
        LOST,
        /** Starts came too late for their calls, and went back or were taken anew: as if they had not been. */
        LATE,
        /** An operator made the gate as new: what had been spent no longer counts. */
        CLEAR
    }

    /**
     * One gate in one batch.
     *
     * @param id rises; 0 before it is stored
     * @param event what happened
     * @param use what jobs hold after it
     * @param rule the limits that decided
     * @param link its place in the journal of its gate
     */
    record Entry(long id, GateKey gate, Event event, Use use, Rule rule, Link link) {
        public Entry withStartedAt(long given) {
            Event other = new Event(event.at, event.kind, event.starts, event.units, given, event.margin);
            return new Entry(id, gate, other, use, rule, link);
        }

        public Entry withId(long given) {
            return new Entry(given, gate, event, use, rule, link);
        }

        Entry with(Link other) {
            return new Entry(id, gate, event, use, rule, other);
        }
    }

    /**
     * What happened.
     *
     * @param starts how many jobs started, all at this instant; how many came back or were late
     * @param units what they cost here together; of what came back, without what it was settled to need beyond
     * @param startedAt when the job that is meant started, by the clock of the store: of a start that is {@code at}, unless that
     *     clock stepped back. 0 if no job is meant
     * @param margin how long after its start such a job, or each one that started, could still make its call; 0 if nothing bounds it
     */
    record Event(long at, Kind kind, long starts, long units, long startedAt, long margin) {}

    /**
     * What a gate has in use.
     *
     * @param leases jobs that hold a place
     * @param units units they hold
     */
    record Use(long leases, long units) {}

    /**
     * Which limits decided.
     *
     * @param policy the limits as text
     * @param version of the policies
     */
    record Rule(String policy, long version) {}

    /**
     * A place in a journal.
     *
     * @param keepUntil until when the entry is kept
     * @param number from 1; 0 before it is known
     * @param hash see {@link JournalChain}; empty where {@code number} is 0
     */
    record Link(long keepUntil, long number, String hash) {
        /** Of an entry that is not part of a chain yet. */
        public static Link none(long keepUntil) {
            return new Link(keepUntil, 0, "");
        }
    }

    void append(List<Entry> entries);

    /** The entries of one gate after this id, in order. */
    List<Entry> read(GateKey gate, long after, int limit);

    /** Every gate that has entries, or should have some. */
    List<GateKey> gates();

    /**
     * What is known of the journal of a gate besides its entries.
     *
     * @param chain how far it goes
     * @param pruned the number of the last entry that was deleted because its time was over; 0 if there is none
     * @param prunedHash the hash of that entry; empty if there is none
     */
    record Standing(JournalChain chain, long pruned, String prunedHash) {}

    Standing standing(GateKey gate);

    /** An entry whose time is over. */
    record Expired(long id, GateKey gate, long number, String hash) {}

    /** Locks entries that need not be kept any more, the first ones first; of each gate in the order of its journal. */
    List<Expired> lockExpired(long now, int limit);

    void delete(Collection<Long> ids);

    /** Notes these as the last ones that were deleted, each at its gate, whose row is locked. An earlier one changes nothing. */
    void anchor(List<Expired> last);

    /** Those of these gates and queues that have entries, or should have some. */
    Set<GateKey> withEntries(Collection<GateKey> gates);
}
