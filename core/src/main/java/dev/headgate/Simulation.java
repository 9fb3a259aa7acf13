package dev.headgate;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.simulate.Playback;
import dev.headgate.internal.simulate.Scenario;
import dev.headgate.internal.simulate.SimulatedJob;
import dev.headgate.internal.simulate.StoreSnapshot;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.simulate.Forecast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * What if: plays the jobs of a store, or jobs to come, in virtual time, with the code that decides for real. Changes
 * nothing. Get one with {@link Headgate#simulate}.
 *
 * <pre>{@code
 * Forecast forecast = headgate.simulate(100_000)
 *         .policy(GateKey.gate("openai"), GatePolicy.parse("rate 20/1s"))
 *         .runTime(type -> Duration.ofMillis(400))
 *         .slots(100)
 *         .run();
 * }</pre>
 */
public final class Simulation {
    private StoreSnapshot snapshot;
    private PolicyBook policies;
    private final List<Arrivals> arrivals = new ArrayList<>();
    private Function<String, Duration> runTime = type -> Duration.ofSeconds(1);
    private int slots = 10;
    private Duration longest = Duration.ofDays(7);

    private record Arrivals(Lane lane, Cost cost, long count, Duration after, Duration over, Duration runTime) {
        List<SimulatedJob> jobs(long firstId, long start) {
            List<SimulatedJob> jobs = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                long arrives = start + Micros.of(after) + Math.multiplyExact(i, Micros.of(over)) / count;
                jobs.add(new SimulatedJob(firstId + i, lane, firstId + i, cost, arrives, Micros.of(runTime)));
            }
            return jobs;
        }
    }

    Simulation(StoreSnapshot snapshot) {
        this.snapshot = snapshot;
        this.policies = snapshot.policies();
    }

    /** Leaves out the jobs of the store and what its gates remember: only jobs to come are played. */
    public Simulation withoutBacklog() {
        snapshot = new StoreSnapshot(snapshot.now(), snapshot.policies(), Map.of(), List.of());
        return this;
    }

    /** Plays with these limits at a queue or gate instead of the stored ones. */
    public Simulation policy(GateKey key, GatePolicy policy) {
        policies = policies.with(key, policy, policies.version());
        return this;
    }

    /** How long a job of a type has its slot; asked once for each job. Default: one second. */
    public Simulation runTime(Function<String, Duration> ofType) {
        runTime = ofType;
        return this;
    }

    /** How many jobs run at once at most. Default: 10. */
    public Simulation slots(int most) {
        slots = most;
        return this;
    }

    public int slots() {
        return slots;
    }

    /** How far to look. Default: seven days. */
    public Simulation longest(Duration span) {
        longest = span;
        return this;
    }

    /**
     * Adds jobs to come.
     *
     * @param count how many
     * @param after when the first of them comes
     * @param over the span over which they are evenly spread; zero if they come at once
     * @param runTime how long each has its slot
     */
    public Simulation arrivals(Lane lane, Cost cost, long count, Duration after, Duration over, Duration runTime) {
        arrivals.add(new Arrivals(lane, cost, count, after, over, runTime));
        return this;
    }

    /** How many jobs wait or are to come. */
    public long jobs() {
        return snapshot.jobs().stream().filter(job -> !job.isRunning()).count()
                + arrivals.stream().mapToLong(Arrivals::count).sum();
    }

    /** Plays it. */
    public Forecast run() {
        return run(started -> {});
    }

    /**
     * The same for what takes a while.
     *
     * @param progress is told again and again how many jobs have started or can never start
     */
    public Forecast run(IntConsumer progress) {
        Scenario backlog = snapshot.scenario(policies, runTime, slots, longest);
        List<SimulatedJob> waiting = new ArrayList<>(backlog.waiting());
        long next = 1
                + snapshot.jobs().stream()
                        .mapToLong(StoreSnapshot.Item::id)
                        .max()
                        .orElse(0);
        for (Arrivals coming : arrivals) {
            waiting.addAll(coming.jobs(next, snapshot.now()));
            next += coming.count();
        }
        return Playback.run(backlog.with(waiting), progress);
    }
}
