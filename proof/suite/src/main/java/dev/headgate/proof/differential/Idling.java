package dev.headgate.proof.differential;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;

/**
 * No free slot beside a job that may start: after a claim with slots to spare, no head of a lane is left that all its
 * gates admit and that is the oldest at each of them.
 */
final class Idling {
    private final JobStore store;
    private final Map<Long, Long> ranks = new HashMap<>();

    private Idling(JobStore store, List<JobStatus> queued) {
        this.store = store;
        List<Long> ids = queued.stream().map(job -> job.id().value()).toList();
        store.backend()
                .read(tx -> tx.jobs().findAll(ids))
                .forEach(row -> ranks.put(row.id(), row.place().rank()));
    }

    static void check(JobStore store, List<String> served) {
        List<JobStatus> queued =
                store.list(JobFilter.all().state(JobState.QUEUED).limit(JobFilter.LIMIT_MAX));
        new Idling(store, queued).check(queued, served);
    }

    private void check(List<JobStatus> queued, List<String> served) {
        Map<Lane, JobStatus> heads = new HashMap<>();
        queued.forEach(
                job -> heads.merge(job.spec().lane(), job, BinaryOperator.minBy(Comparator.comparingLong(this::rank))));
        PolicyBook book = store.policies();
        for (JobStatus head : heads.values()) {
            if (served.contains(head.queue())
                    && !isPaused(head, book)
                    && isOldest(head, heads.values(), book)
                    && mayPass(head)) {
                throw new AssertionError("idle beside work: job %s may start and did not: %s"
                        .formatted(head.id(), Objects.requireNonNull(store.explain(head.id()))));
            }
        }
    }

    private static boolean isPaused(JobStatus head, PolicyBook book) {
        return book.isPaused(GateKey.queue(head.queue())) || book.isTypePaused(head.type());
    }

    private long rank(JobStatus job) {
        return Objects.requireNonNull(ranks.get(job.id().value()));
    }

    /** Where capacity is shared fairly the oldest need not be next: there any other head counts as older. */
    private boolean isOldest(JobStatus head, Collection<JobStatus> heads, PolicyBook book) {
        boolean isQueueLimited = !book.policyFor(GateKey.queue(head.queue())).isOpen();
        return heads.stream()
                .filter(other -> !other.id().equals(head.id()))
                .noneMatch(other -> (isQueueLimited
                                && other.queue().equals(head.queue())
                                && isBefore(other, head, GateKey.queue(head.queue()), book))
                        || other.gates().stream()
                                .filter(head.gates()::contains)
                                .anyMatch(gate -> isBefore(other, head, GateKey.gate(gate), book)));
    }

    private boolean isBefore(JobStatus other, JobStatus head, GateKey at, PolicyBook book) {
        return rank(other) < rank(head) || book.policyFor(at).options().fair() != null;
    }

    private boolean mayPass(JobStatus job) {
        return Objects.requireNonNull(store.explain(job.id())).place().gates().stream()
                .allMatch(gate -> gate.decision() instanceof Decision.Admitted);
    }
}
