package dev.headgate.proof.simulation;

import java.util.ArrayList;
import java.util.List;

/** What a transaction has done so far; told to the checkers once it has committed, and forgotten if it does not. */
final class Changes {
    private final List<Runnable> first = new ArrayList<>();
    private final List<Runnable> all = new ArrayList<>();
    private final List<Runnable> last = new ArrayList<>();

    void begin() {
        first.clear();
        all.clear();
        last.clear();
    }

    void add(Runnable change) {
        all.add(change);
    }

    /** Is told before all others: what starts beside it was decided knowing this. */
    void addFirst(Runnable change) {
        first.add(change);
    }

    /** Is told when all others have been. */
    void addLast(Runnable change) {
        last.add(change);
    }

    private static void tell(List<Runnable> changes) {
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).run();
        }
    }

    void commit() {
        tell(first);
        tell(all);
        tell(last);
    }
}
