package dev.headgate.spi;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored policies, and the versions of them that are kept. */
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

    /** Changes up to this version may be gone; 0 if none are. */
    long prunedUpTo();

    /** From now on changes up to this version may be gone. The caller keeps other changes out. */
    void prunedUpTo(long version);

    /** The newest version up to this one that was made before this instant; absent if there is none. */
    @Nullable
    Long newestBefore(long version, long instant);

    /**
     * Deletes the changes up to this version. The latest of each name stays, overrides apart, if something is stored under
     * that name, or if it is no older than this instant. Answers how many went.
     */
    int prune(long upTo, long removedSince);
}
