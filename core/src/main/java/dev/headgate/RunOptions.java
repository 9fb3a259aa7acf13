package dev.headgate;

import dev.headgate.internal.text.Names;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.run.RunBudget;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The options of one run: its idempotency key, priority and budget. Not thread-safe. */
public final class RunOptions {
    private @Nullable String key;
    private int priority;
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

    /** What the run may spend, its children included: {@code budget(b -> b.maxCostUnits(500))}. */
    public RunOptions budget(UnaryOperator<RunBudget> change) {
        budget = change.apply(budget);
        return this;
    }

    @Nullable
    String key() {
        return key;
    }

    int priority() {
        return priority;
    }

    RunBudget budget() {
        return budget;
    }
}
