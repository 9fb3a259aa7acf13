package dev.headgate.internal.enqueue;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobSpec;
import dev.headgate.limit.TypePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs that lack a gate which the policy of their type requires: a forgotten gate would be an open one. */
public final class RequiredGates {
    private RequiredGates() {}

    /** Refuses a job that lacks one. */
    public static void refuse(JobSpec spec, PolicyBook book) {
        String lacking = lacking(spec, book);
        if (lacking != null) {
            throw new IllegalArgumentException(lacking);
        }
    }

    /** What it lacks, in words; absent if that is nothing. Jobs that only steer a run make no calls. */
    public static @Nullable String lacking(JobSpec spec, PolicyBook book) {
        TypePolicy policy = book.typePolicy(spec.type());
        if (policy == null || StepType.isControl(spec.type())) {
            return null;
        }
        List<String> lacking = policy.lacking(spec.lane().gates());
        return lacking.isEmpty()
                ? null
                : "job of type '%s': its policy requires %s; expected a gate for each, found none for %s (the job names %s); name it at enqueue or in the job type"
                        .formatted(
                                spec.type(),
                                String.join(", ", policy.requires()),
                                String.join(", ", lacking),
                                spec.lane().isPlain()
                                        ? "no gate"
                                        : String.join(", ", spec.lane().gates()));
    }
}
