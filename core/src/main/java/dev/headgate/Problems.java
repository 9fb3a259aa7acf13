package dev.headgate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Collects what is wrong with a builder's values, so that all of it is reported at once. */
final class Problems {
    private final List<String> found = new ArrayList<>();

    /** Makes these checks and throws if any found something. */
    static void check(String what, Consumer<Problems> checks) {
        Problems faults = new Problems();
        checks.accept(faults);
        faults.throwIfAny(what);
    }

    /** Notes the fault unless the condition holds. */
    void expect(boolean holds, Supplier<String> message) {
        if (!holds) {
            found.add(message.get());
        }
    }

    /** Runs a check that throws, and notes what it says. */
    void collect(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException fault) {
            found.add(String.valueOf(fault.getMessage()));
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    void throwIfAny(String what) {
        if (found.isEmpty()) {
            return;
        }
        String faults = found.size() == 1 ? found.getFirst() : "\n  - " + String.join("\n  - ", found);
        throw new IllegalArgumentException("%s: %s".formatted(what, faults));
    }
}
