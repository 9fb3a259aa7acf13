package dev.headgate.evidence;

import dev.headgate.store.JournalTable.Standing;

/** The journal of one gate, as stored. */
public interface Journal extends Replay.Pages {
    /** What the gate's row says of it now. */
    Standing standing();
}
