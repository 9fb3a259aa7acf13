package dev.headgate.evidence;

import dev.headgate.limit.GateKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal of one gate or queue says.
 *
 * @param entries how many entries were judged
 * @param begins the oldest entry there is, judged or not; absent if there is no journal. Nothing is known of earlier times
 * @param late how many starts came too late for their calls, and went back or were taken anew; they count toward nothing
 * @param limits one certificate for each limit that was in force, in order of appearance
 * @param chain which rows follow one another without a break
 * @param compared how many starts that history has were looked for in it
 * @param findings what shows that the journal is not as the gate has written it; a row that is broken is the last one looked at, so there is
 *     at most one of those
 */
public record Verification(
        GateKey gate,
        long entries,
        @Nullable Instant begins,
        long late,
        List<Certificate> limits,
        ChainProof chain,
        long compared,
        List<Finding> findings) {
    /** Whether there is evidence at all, and none against it. */
    public boolean isGood() {
        return entries > 0 && isClean();
    }

    /** Whether nothing speaks against the gate or its journal. */
    public boolean isClean() {
        return violations() == 0 && findings.isEmpty();
    }

    public long violations() {
        return limits.stream().mapToLong(Certificate::violations).sum();
    }

    public Verification with(ChainProof proved, long lookedFor, List<Finding> found) {
        return new Verification(gate, entries, begins, late, limits, proved, lookedFor, List.copyOf(found));
    }

    /**
     * Something in a journal that no gate has written, or that does not agree with what else is stored.
     *
     * @param row the number of the row in the journal of its gate; 0 if it has none
     * @param id the id of the row in the table; 0 if the row is not there
     * @param at when the row was written, by its own word; absent if the row is not there
     * @param text in words
     */
    public record Finding(
            Kind kind, long row, long id, @Nullable Instant at, String text) {
        /** What is wrong. */
        public enum Kind {
            /** A row does not follow the one before it: rows were changed, added or taken away. */
            BROKEN,
            /** A row says what cannot be. */
            IMPOSSIBLE,
            /** A row names other limits than were stored. */
            POLICY,
            /** A job of history started, and no row has that start. */
            HISTORY,
            /** The row that a certificate ends with is another one by now, or is not there. */
            NOT_CONTINUED,
            /** The row that a certificate ends with was deleted in its time, and rows behind it too: nothing can be shown. */
            UNPROVED;

            /** Whether nothing behind the row is looked at. */
            public boolean isBreak() {
                return this == BROKEN || this == IMPOSSIBLE;
            }
        }

        public Finding withText(String other) {
            return new Finding(kind, row, id, at, other);
        }

        @Override
        public String toString() {
            if (row == 0 && id == 0) {
                return "%s: %s".formatted(at == null ? "" : at, text);
            }
            String place = row > 0 ? "row %d".formatted(row) : "a row without a number";
            String stored = id > 0 ? " (id %d)".formatted(id) : "";
            return "%s%s%s: %s".formatted(place, stored, at == null ? "" : " of " + at, text);
        }
    }
}
