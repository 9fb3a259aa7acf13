package dev.headgate;

import dev.headgate.internal.workflow.RunStore;
import dev.headgate.machine.Machine;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.workflow.Workflow;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which workflows and machines are stored with these very steps. The store is asked once for each. */
final class StoredDefinitions {
    private final Set<Entry> known = ConcurrentHashMap.newKeySet();

    /** A workflow or a machine, as the store keeps it. */
    record Entry(String kind, String name, int version, WorkflowShape shape) {
        static Entry of(Workflow<?, ?> workflow) {
            return new Entry("workflow", workflow.name(), workflow.version(), WorkflowShape.of(workflow));
        }

        static Entry of(Machine<?> machine) {
            return new Entry("machine", machine.name(), machine.version(), WorkflowShape.of(machine));
        }
    }

    /**
     * Stores it, unless it is stored.
     *
     * @throws IllegalArgumentException if this version is stored with other steps
     */
    void store(RunStore store, Entry entry) {
        if (!known.contains(entry)) {
            check(
                    entry,
                    store.define(entry.name(), entry.version(), entry.shape().text()));
        }
    }

    /** For a caller's transaction: to store it there would make all others that register it wait for its end. */
    void require(RunStore callers, Entry entry) {
        if (known.contains(entry)) {
            return;
        }
        DefinitionRow stored = callers.definition(entry.name(), entry.version());
        if (stored == null) {
            throw new IllegalStateException(
                    "%s '%s' version %d: expected it to be registered before a transaction starts it, found it nowhere in this store; call %ss().register(…) before the transaction begins"
                            .formatted(entry.kind(), entry.name(), entry.version(), entry.kind()));
        }
        check(entry, stored);
    }

    private void check(Entry entry, DefinitionRow stored) {
        List<String> before = WorkflowShape.parse(stored.shape()).steps();
        if (!before.equals(entry.shape().steps())) {
            throw new IllegalArgumentException(
                    "%s '%s' version %d: expected the steps it was registered with, %s; give the changed %s version %d and register both, so that runs under way end as they began"
                            .formatted(
                                    entry.kind(),
                                    entry.name(),
                                    entry.version(),
                                    difference(before, entry.shape().steps()),
                                    entry.kind(),
                                    entry.version() + 1));
        }
        known.add(entry);
    }

    private static String difference(List<String> before, List<String> after) {
        for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
            String was = i < before.size() ? before.get(i).strip() : "the end";
            String is = i < after.size() ? after.get(i).strip() : "the end";
            if (!was.equals(is)) {
                return "got another entry %d: '%s' where '%s' was".formatted(i + 1, is, was);
            }
        }
        return "got another nesting";
    }
}
