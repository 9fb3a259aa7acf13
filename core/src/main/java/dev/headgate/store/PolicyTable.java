package dev.headgate.store;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored policies, and every version of them. */
public interface PolicyTable {
    /** Who changes policies, when, and why. */
    record Note(long now, String author, String reason) {}

    /** Waits until no transaction that decided by the old policies is open, and keeps new ones out until the end. */
    void lockForChange();

    /** Stores these changes together as the next version; answers its number. */
    long save(Note note, List<PolicyChange> changes);

    /** The versions between these two, both left out, newest first. */
    List<PolicyVersion> versions(long after, long before);

    /** A pause as stored. */
    record PauseRow(Pause pause, Note note) {}

    /** Stores a pause as the next version; of one that is there already only the note changes. */
    void pause(Pause pause, Note note);

    /** Ends a pause, as the next version; false if there was none. */
    boolean resume(Pause pause);

    List<PauseRow> pauses();

    /** The newest version that changed what is stored under this name, with that change only; absent if none ever did. */
    @Nullable
    PolicyVersion latestOf(GateKey key);
}
