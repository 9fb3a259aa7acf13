package dev.headgate;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Attributes;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The options of one run: its idempotency key, priority, budget, labels and headers. Not thread-safe. */
public final class RunOptions {
    private @Nullable String key;
    private int priority;
    private final TreeMap<String, String> labels = new TreeMap<>();
    private final TreeMap<String, String> headers = new TreeMap<>();
    private RunBudget budget = RunBudget.STANDARD;

    RunOptions() {}

    /** An idempotency key: while the store knows a run of this workflow with it, another start returns that run. */
    public RunOptions key(String once) {
        key = Names.check("key", once);
        return this;
    }

    /** The priority of jobs that only steer the run; steps have their own. Default: 0. */
    public RunOptions priority(int higherFirst) {
        Order.checkPriority(higherFirst);
        priority = higherFirst;
        return this;
    }

    /**
     * What the run may spend, its children included: {@code budget(b -> b.maxCostUnits(500))}. Of a guardrail that the workflow or machine
     * limits itself, no more than that. Default: what the workflow or machine says, else {@link RunBudget#STANDARD}.
     */
    public RunOptions budget(UnaryOperator<RunBudget> change) {
        budget = change.apply(budget);
        return this;
    }

    /**
     * A label, by which people find the run: {@code label("tenant", "acme")}; bounded as {@link JobOptions#label} says. The jobs of its
     * steps have it too, and so have the runs that it spawns.
     */
    public RunOptions label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /** Several labels at once. */
    public RunOptions labels(Map<String, String> pairs) {
        pairs.forEach(this::label);
        return this;
    }

    /** A header that its jobs hand on, such as a {@code traceparent}; bounded as {@link JobOptions#header} says. */
    public RunOptions header(String name, String value) {
        headers.put(name.toLowerCase(Locale.ROOT), value);
        return this;
    }

    /** Several headers at once. */
    public RunOptions headers(Map<String, String> pairs) {
        pairs.forEach(this::header);
        return this;
    }

    Attributes attributes() {
        return Attributes.of(labels, headers);
    }

    @Nullable
    String key() {
        return key;
    }

    int priority() {
        return priority;
    }

    /**
     * What was asked for, within what the definition allows.
     *
     * @param what names the start in messages
     */
    RunBudget budget(String what, RunBudget ceiling) {
        List<String> faults = new ArrayList<>();
        RunBudget within = ceiling;
        for (Map.Entry<Guardrail, Long> asked : new TreeMap<>(budget.limits()).entrySet()) {
            Guardrail guardrail = asked.getKey();
            Long most = ceiling.limits().get(guardrail);
            if (most != null && asked.getValue() > most) {
                faults.add("%s of at most %s, got %s"
                        .formatted(guardrail.title(), guardrail.text(most), guardrail.text(asked.getValue())));
            }
            within = within.with(guardrail, asked.getValue());
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s: expected a budget within that of its definition, %s; nothing was started. Ask for less, or start it as it is and let an operator top the run up"
                            .formatted(what, String.join("; ", faults)));
        }
        return within;
    }
}
