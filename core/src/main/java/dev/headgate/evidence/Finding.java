package dev.headgate.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
