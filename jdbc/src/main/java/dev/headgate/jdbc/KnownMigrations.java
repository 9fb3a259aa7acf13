package dev.headgate.jdbc;

import dev.headgate.store.StoreRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The migrations that a program knows, in order. Each is a file, and the number that its name begins with is the version of the tables
 * after it.
 *
 * @param harmless those that an older program cannot break and is not broken by: it may go on beside newer ones, and open the store
 *     again. To name one here needs a reason. Any other migration shuts older programs out.
 */
public record KnownMigrations(List<String> names, Set<String> harmless) {
    /** Versions 1 to 10 were stores from before the first release. Programs of that time refuse this version as a newer one. */
    static final int FIRST = 11;

    static final KnownMigrations PRESENT = new KnownMigrations(
            List.of(
                    "0011_tables",
                    "0012_tokens",
                    "0013_plain_lanes",
                    "0014_child_runs",
                    "0015_permits",
                    "0016_request_keys",
                    "0017_figures",
                    "0018_labels"),
            Set.of());

    public KnownMigrations {
        names = List.copyOf(names);
        harmless = Set.copyOf(harmless);
    }

    /** The same and one more. */
    KnownMigrations and(String next) {
        List<String> all = new ArrayList<>(names);
        all.add(next);
        return new KnownMigrations(all, harmless);
    }

    /** The version of the tables after all of them. */
    public int version() {
        return FIRST + names.size() - 1;
    }

    /** The oldest version that a program must know to work with tables of this one. */
    int oldest() {
        int oldest = version();
        while (oldest > FIRST && harmless.contains(names.get(oldest - FIRST))) {
            oldest--;
        }
        return oldest;
    }

    /** The migrations that tables of this version lack; all of them if it is 0. */
    List<String> after(int found) {
        return names.subList(Math.max(found - FIRST + 1, 0), names.size());
    }

    /** The version of the tables after this one of them. */
    int versionAfter(String name) {
        return FIRST + names.indexOf(name);
    }

    /**
     * Keeps a program out whose tables were changed since it opened them. Every transaction that decides asks this, so a migration
     * need not wait until the last process of the old version has gone.
     *
     * @param found the version of the tables
     * @param oldestKnown the oldest version that a program must know to work with them
     */
    void admit(long found, long oldestKnown) {
        if (oldestKnown > version()) {
            throw new StoreRefusedException(
                    "schema: expected version %d, found %d: a newer Headgate has changed the tables since this process opened the store, and nothing older than version %d may use them; stop this process and update it; nothing was written"
                            .formatted(version(), found, oldestKnown));
        }
        if (found < version()) {
            throw new StoreRefusedException(
                    "schema: expected version %d, found %d: the tables were replaced by older ones since this process opened the store; if they come from a backup, stop all processes and start them again; nothing was written"
                            .formatted(version(), found));
        }
    }
}
