package dev.headgate.admission;

/**
 * One rule of a gate or queue. Combine several on one gate, and several gates on one job: a start must satisfy all.
 *
 * <pre>{@code
 * concurrency(3)                                  // at most 3 at once
 * budget(100)                                     // at most 100 units of cost at once
 * rate(20).per(Duration.ofSeconds(1)).burst(5)    // token bucket: 20 starts a second, up to 5 together
 * rate(90_000).per(Duration.ofMinutes(1)).byCost()
 * }</pre>
 *
 * <p>As text, in commands and in the store: {@code concurrency 3}, {@code budget 100}, {@code rate 20/1s burst 5},
 * {@code rate 90000/1m burst 90000 by-cost}.
 */
public sealed interface Limit permits Concurrency, Budget, Rate {
    /** At most {@code max} leases at any instant. */
    static Concurrency concurrency(long max) {
        return new Concurrency(max);
    }

    /** At most {@code units} of job cost in leases at any instant. */
    static Budget budget(long units) {
        return new Budget(units);
    }

    /** Starts a token bucket: {@code rate(100).per(Duration.ofMinutes(1))}. */
    static Rate.PerStage rate(long count) {
        return new Rate.PerStage(count);
    }

    /** May a job of this cost start, given the gate's state? Writes nothing: a denial costs nothing. */
    Verdict verdict(GateState state, long now, Ask ask);

    /** The canonical text form, which {@link LimitText#parse} reads back. */
    String text();

    /** What one job asks of a limit; {@code aside} is what an older lane has had reserved and this job must leave. */
    record Ask(long cost, Aside aside) {
        static Ask of(long cost) {
            return new Ask(cost, Aside.NOTHING);
        }
    }

    /** Capacity set aside for a lane that waits for another gate. */
    record Aside(long leases, long units) {
        static final Aside NOTHING = new Aside(0, 0);
    }
}
