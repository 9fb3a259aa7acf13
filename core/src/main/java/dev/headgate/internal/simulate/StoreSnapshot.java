package dev.headgate.internal.simulate;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a store holds at one instant: its policies, what its gates remember, and every job that runs or waits.
 *
 * @param now store time in microseconds
 */
public record StoreSnapshot(long now, PolicyBook policies, Map<GateKey, GateState> gates, List<Item> jobs) {
    /**
     * One job.
     *
     * @param since when it started if it runs, else when it is or was due
     */
    public record Item(long id, String type, Lane lane, long rank, Cost cost, boolean isRunning, long since) {}

    /** This backlog as something to play: under these policies, with so many slots, each type of job running so long. */
    public Scenario scenario(PolicyBook decided, Function<String, Duration> runs, int slots, Duration longest) {
        List<SimulatedJob> running = new ArrayList<>();
        List<SimulatedJob> waiting = new ArrayList<>();
        for (Item job : jobs) {
            long span = Micros.of(runs.apply(job.type()));
            SimulatedJob played = new SimulatedJob(job.id(), job.lane(), job.rank(), job.cost(), job.since(), span);
            (job.isRunning() ? running : waiting).add(played);
        }
        return new Scenario(decided, gates, running, waiting, slots, now, Math.addExact(now, Micros.of(longest)));
    }
}
