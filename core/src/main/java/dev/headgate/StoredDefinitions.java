package dev.headgate;

import dev.headgate.internal.workflow.RunStore;
import dev.headgate.machine.Machine;
import dev.headgate.spi.FrameTable.DefinitionRow;
import dev.headgate.workflow.Workflow;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
     * @throws IllegalArgumentException if this version is stored with other steps or another budget
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
        WorkflowShape before = WorkflowShape.parse(stored.shape());
        String difference = difference(before, entry.shape());
        if (difference != null) {
            throw new IllegalArgumentException(
                    "%s '%s' version %d: expected the %s; give the changed %s version %d and register both, so that runs under way end as they began"
                            .formatted(
                                    entry.kind(),
                                    entry.name(),
                                    entry.version(),
                                    difference,
                                    entry.kind(),
                                    entry.version() + 1));
        }
        known.add(entry);
    }

    /** What may not change without a new version, and how it has; absent if it has not. */
    private static @Nullable String difference(WorkflowShape before, WorkflowShape after) {
        if (!before.steps().equals(after.steps())) {
            return "steps it was registered with, " + difference(before.steps(), after.steps());
        }
        return before.budget().equals(after.budget())
                ? null
                : "budget it was registered with, %s, got %s".formatted(before.budgetText(), after.budgetText());
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
