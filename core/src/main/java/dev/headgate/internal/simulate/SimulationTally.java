package dev.headgate.internal.simulate;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import dev.headgate.simulate.Forecast.KeyForecast;
import dev.headgate.simulate.Forecast.LimitUse;
import dev.headgate.simulate.Forecast.Waits;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is counted at one queue or gate while a simulation runs. */
final class SimulationTally {
    private final List<Long> waits = new ArrayList<>();
    private final long start;
    private long units;
    private long inUse;
    private long unitsInUse;
    private long peak;
    private long since;
    private BigInteger leaseArea = BigInteger.ZERO;
    private BigInteger unitArea = BigInteger.ZERO;

    SimulationTally(long start) {
        this.start = start;
        this.since = start;
    }

    /** A job that runs already: it counts as in use, not as a start. */
    void held(long cost) {
        inUse++;
        unitsInUse += cost;
        peak = Math.max(peak, inUse);
    }

    void started(long waited, long cost, long now) {
        move(now);
        waits.add(waited);
        units += cost;
        held(cost);
    }

    void ended(long cost, long now) {
        move(now);
        inUse--;
        unitsInUse -= cost;
    }

    private void move(long now) {
        leaseArea = leaseArea.add(product(inUse, now - since));
        unitArea = unitArea.add(product(unitsInUse, now - since));
        since = now;
    }

    private static BigInteger product(long one, long other) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }

    KeyForecast forecast(GateKey key, GatePolicy policy, long lastStart, long lastEnd) {
        move(Math.max(since, lastEnd));
        List<LimitUse> uses = policy.limits().stream()
                .map(limit -> new LimitUse(limit.text(), percent(limit, lastStart - start, lastEnd - start)))
                .toList();
        return new KeyForecast(key, waits.size(), percentiles(), peak, uses);
    }

    private Waits percentiles() {
        List<Long> sorted = waits.stream().sorted().toList();
        return new Waits(nearest(sorted, 50), nearest(sorted, 95), nearest(sorted, 100));
    }

    private static Duration nearest(List<Long> sorted, int percent) {
        return sorted.isEmpty()
                ? Duration.ZERO
                : Micros.duration(sorted.get(Math.ceilDiv(sorted.size() * percent, 100) - 1));
    }

    private @Nullable Integer percent(Limit limit, long untilStart, long untilEnd) {
        return switch (limit) {
            case Concurrency most -> share(leaseArea, product(most.max(), untilEnd));
            case Adaptive most -> share(leaseArea, product(most.max(), untilEnd));
            case Budget most -> share(unitArea, product(most.units(), untilEnd));
            case Rate rate -> {
                long per = Micros.of(rate.per());
                yield share(
                        product(used(rate.isByCost()), per),
                        product(rate.burst(), per).add(product(rate.count(), untilStart)));
            }
            case Window window ->
                share(
                        BigInteger.valueOf(used(window.isByCost())),
                        product(window.count(), untilStart / Micros.of(window.per()) + 1));
            case Spaced spaced -> {
                long per = Micros.of(spaced.per());
                yield share(
                        product(used(spaced.isByCost()), per),
                        product(1, per).add(product(spaced.count(), untilStart)));
            }
            case Quota quota -> null;
        };
    }

    private long used(boolean isByCost) {
        return isByCost ? units : waits.size();
    }

    private static int share(BigInteger used, BigInteger allowed) {
        return allowed.signum() == 0
                ? 0
                : used.multiply(BigInteger.valueOf(100)).divide(allowed).intValueExact();
    }
}
