package dev.headgate.proof.differential;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobState;
import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import dev.headgate.spi.JobRow;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A naive model of what was promised, fed with nothing but the leases that came out of the store: one valid lease per
 * job, epochs that rise, never more than a limit at any grant, never more than a rate in any interval.
 */
final class Promises {
    private final JobStore store;
    private final Map<Long, Long> epochs = new HashMap<>();
    private final Map<Long, JobRow> running = new HashMap<>();
    private final Map<GateKey, List<Start>> starts = new HashMap<>();

    private long latest;
    private long clock = Long.MIN_VALUE;
    private long passed;

    private record Start(long at, long cost) {}

    Promises(JobStore store) {
        this.store = store;
    }

    /** What came back no longer runs, unless the store refused it. */
    void ended(List<EndedLease> ended, Set<Long> refused) {
        ended.stream()
                .filter(each -> !refused.contains(each.lease().id()))
                .forEach(each -> running.remove(each.lease().id()));
    }

    /** The clock may step back: what was due once stays due, and what has passed since a start has passed. */
    void timeIs(long now) {
        latest = Math.max(latest, now);
        passed += clock == Long.MIN_VALUE ? 0 : Math.max(0, now - clock);
        clock = now;
    }

    void started(JobRow row, long now) {
        timeIs(now);
        dropWhatWasTakenAway();
        long last = epochs.getOrDefault(row.id(), 0L);
        check(
                row.lease().epoch() > last,
                "job %d: epoch %d after %d".formatted(row.id(), row.lease().epoch(), last));
        epochs.put(row.id(), row.lease().epoch());
        check(!running.containsKey(row.id()), "job %d: leased while its lease is valid".formatted(row.id()));
        check(
                row.place().runAt() <= latest,
                "job %d: started %d before it was due"
                        .formatted(row.id(), row.place().runAt() - latest));
        check(
                store.dependencies().of(dev.headgate.job.JobId.of(row.id())).stream()
                        .noneMatch(dev.headgate.job.Dependency::isOpen),
                "job %d: started before a job that it waits for has ended".formatted(row.id()));
        running.put(row.id(), row);
        PolicyBook book = store.policies();
        for (GateKey key : keys(row)) {
            List<Start> known = starts.computeIfAbsent(key, k -> new ArrayList<>());
            known.add(new Start(passed, key.unitsOf(row.spec().cost())));
            for (Limit limit : book.policyFor(key).limits()) {
                checkLimit(key, limit, known);
            }
        }
    }

    /** Reaped, deleted, and no longer ours to count: asked of the store, which alone can take a lease away. */
    private void dropWhatWasTakenAway() {
        running.values().removeIf(row -> {
            var status = store.find(dev.headgate.job.JobId.of(row.id()));
            return status == null
                    || status.state() != JobState.RUNNING
                    || status.leases().epoch() != row.lease().epoch();
        });
    }

    /** From here on other limits count; what was started under the old ones is no argument against the new. */
    void policyChanged(GateKey pattern) {
        starts.keySet().removeIf(key -> pattern.covers(key));
    }

    private static List<GateKey> keys(JobRow row) {
        List<GateKey> keys = new ArrayList<>();
        keys.add(GateKey.queue(row.spec().lane().queue()));
        row.spec().lane().gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        return keys;
    }

    private void checkLimit(GateKey key, Limit limit, List<Start> known) {
        List<JobRow> holders =
                running.values().stream().filter(row -> keys(row).contains(key)).toList();
        switch (limit) {
            case Concurrency most ->
                check(holders.size() <= most.max(), "%s: %d run, %s".formatted(key, holders.size(), limit.text()));
            case Budget most -> {
                long units = holders.stream()
                        .mapToLong(row -> key.unitsOf(row.spec().cost()))
                        .sum();
                boolean isFree = known.getLast().cost() == 0;
                check(isFree || units <= most.units(), "%s: %d units, %s".formatted(key, units, limit.text()));
            }
            case Rate rate -> checkRate(key, rate, known);
            case Window window -> checkWindow(key, window, known);
            case Spaced spaced -> checkSpacing(key, spaced, known);
            case Quota quota -> {} // needs a calendar; proved where the time is made up
            case Adaptive adaptive ->
                check(holders.size() <= adaptive.max(), "%s: %d run, %s".formatted(key, holders.size(), limit.text()));
        }
    }

    /** In the half-open window that ends with this start. */
    private static void checkWindow(GateKey key, Window window, List<Start> known) {
        long end = known.getLast().at();
        long units = known.stream()
                .filter(start -> end - start.at() < Micros.of(window.per()))
                .mapToLong(start -> window.isByCost() ? start.cost() : 1)
                .sum();
        boolean isFree = window.isByCost() && known.getLast().cost() == 0;
        check(isFree || units <= window.count(), "%s: %d units, %s".formatted(key, units, window.text()));
    }

    private static void checkSpacing(GateKey key, Spaced spaced, List<Start> known) {
        List<Start> counted = known.stream()
                .filter(start -> !spaced.isByCost() || start.cost() > 0)
                .toList();
        if (counted.size() > 1 && counted.getLast().equals(known.getLast())) {
            Start before = counted.get(counted.size() - 2);
            BigInteger apart = BigInteger.valueOf(known.getLast().at() - before.at());
            BigInteger units = BigInteger.valueOf(spaced.isByCost() ? before.cost() : 1);
            check(
                    apart.multiply(BigInteger.valueOf(spaced.count()))
                                    .compareTo(units.multiply(BigInteger.valueOf(Micros.of(spaced.per()))))
                            >= 0,
                    "%s: %s microseconds apart, %s".formatted(key, apart, spaced.text()));
        }
    }

    /** In every interval that ends with this start: units × per ≤ burst × per + count × length, in whole numbers. */
    private static void checkRate(GateKey key, Rate rate, List<Start> known) {
        BigInteger per = BigInteger.valueOf(Micros.of(rate.per()));
        BigInteger count = BigInteger.valueOf(rate.count());
        long end = known.getLast().at();
        long units = 0;
        for (Start start : known.reversed()) {
            units += rate.isByCost() ? start.cost() : 1;
            BigInteger most = BigInteger.valueOf(rate.burst())
                    .multiply(per)
                    .add(count.multiply(BigInteger.valueOf(end - start.at())));
            check(
                    BigInteger.valueOf(units).multiply(per).compareTo(most) <= 0,
                    "%s: %d units in %d microseconds, %s".formatted(key, units, end - start.at(), rate.text()));
        }
    }

    private static void check(boolean holds, String broken) {
        if (!holds) {
            throw new AssertionError("broken promise: " + broken);
        }
    }
}
