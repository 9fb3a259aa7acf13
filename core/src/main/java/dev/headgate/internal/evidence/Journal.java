package dev.headgate.internal.evidence;

import dev.headgate.spi.JournalTable.Standing;

/** The journal of one gate, as stored, and what else is stored of the same starts. */
public interface Journal extends Replay.Pages {
    /** What the gate's row says of it now. */
    Standing standing();

    /**
     * What the limits in its rows are held against.
     *
     * @param version what is known must be no older than this version, if there is one
     */
    default StoredPolicies policies(long version) {
        return StoredPolicies.NONE;
    }

    /** When jobs started at this gate by what is kept of them in history, in any order. */
    default long[] starts() {
        return new long[0];
    }
}
