package dev.headgate.internal.enqueue;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.ParkedRow;
import dev.headgate.spi.StoreTransaction;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs that cost more than a gate can ever give: refused when they are enqueued, and unparked when the limits allow it. */
public final class ImpossibleJobs {
    private ImpossibleJobs() {}

    /** What one batch did: the last job it read, absent if there are no more, and the queues that got jobs back. */
    public record Revived(@Nullable ParkedRow last, int jobs, Set<String> queues) {}

    /** Refuses a job if one of its gates, even idle, never lets it pass, now and under all policies that are to come. */
    public static void refuse(JobSpec spec, PolicyBook book) {
        refuse(spec, GateKey.queue(spec.lane().queue()), book);
        spec.lane().gates().forEach(gate -> refuse(spec, GateKey.gate(gate), book));
    }

    private static void refuse(JobSpec spec, GateKey key, PolicyBook book) {
        Decision.NeverFits never = never(key, spec.cost(), book.policyFor(key));
        boolean isRefused = never != null
                && book.policiesInTime(key).stream().allMatch(policy -> never(key, spec.cost(), policy) != null);
        if (never != null && isRefused) {
            throw new IllegalArgumentException(
                    "job of type '%s': can never pass %s, it %s; lower its cost or raise the limit (%s)"
                            .formatted(
                                    spec.type(),
                                    key,
                                    never.reason(),
                                    never.limit().text()));
        }
    }

    private static Decision.@Nullable NeverFits never(GateKey key, Cost cost, GatePolicy policy) {
        if (policy.isOpen()) {
            return null;
        }
        GateLedger idle = new GateLedger(key, policy, GateState.NEW);
        return idle.checkLimits(new Waiter("", 0, key.unitsOf(cost)), 0) instanceof Decision.NeverFits never
                ? never
                : null;
    }

    /** Puts parked jobs, after this one if there is one, back into their lanes if they fit by now. */
    public static Revived revive(StoreTransaction tx, @Nullable ParkedRow after, int limit) {
        PolicyBook book = tx.policies();
        List<ParkedRow> parked = tx.jobs().parked(ParkReason.NEVER_FITS, after, limit);
        List<Long> fitting = parked.stream()
                .filter(job -> fits(job.lane(), job.cost(), book))
                .map(ParkedRow::job)
                .toList();
        List<HeadOfLane> heads = fitting.isEmpty() ? List.of() : tx.jobs().unpark(fitting, tx.now());
        List<HeadOfLane> gated =
                heads.stream().filter(head -> !head.lane().isPlain()).toList();
        if (!gated.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(gated));
        }
        return new Revived(
                parked.size() < limit ? null : parked.getLast(),
                heads.size(),
                heads.stream().map(head -> head.lane().queue()).collect(Collectors.toSet()));
    }

    private static boolean fits(Lane lane, Cost cost, PolicyBook book) {
        GateKey queue = GateKey.queue(lane.queue());
        return never(queue, cost, book.policyFor(queue)) == null
                && lane.gates().stream()
                        .map(GateKey::gate)
                        .allMatch(gate -> never(gate, cost, book.policyFor(gate)) == null);
    }
}
