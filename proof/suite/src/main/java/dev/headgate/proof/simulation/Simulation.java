package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.util.BitSet;
import java.util.function.Function;

/**
 * One world from one seed, in one thread and virtual time: processes with the production engine, clients, an operator and
 * faults on one store. First chaos, in which every commit and every handler is judged; then everything is healed, and
 * every job must come to its end.
 *
 * <pre>{@code
 * WorldResult result = new Simulation(42, MemoryBackend::new).run(20_000);
 * }</pre>
 *
 * <p>What counts as an event: every step on the heap (a round of a loop, the end of a handler, a call of a client, a
 * fault) and every entry of the history that is judged (a commit, enqueue, grant, start, end, outcome, heartbeat or loss).
 */
public final class Simulation {
    private final Options options;
    private final Function<StoreClock, Backend> opener;
    private BitSet leftOut = new BitSet();
    private boolean isFaultless;

    public Simulation(long seed, Function<StoreClock, Backend> opener) {
        this(Options.of(seed), opener);
    }

    public Simulation(Options options, Function<StoreClock, Backend> opener) {
        this.options = options;
        this.opener = opener;
    }

    /** The same world without these faults. */
    Simulation without(BitSet faults) {
        leftOut = faults;
        return this;
    }

    /** The same world without any fault. */
    public Simulation faultless() {
        isFaultless = true;
        return this;
    }

    public Options options() {
        return options;
    }

    /**
     * Runs it.
     *
     * @param maxEvents when chaos ends; healing takes as many events as it takes
     */
    public WorldResult run(long maxEvents) {
        Judge judge = new Judge();
        Timeline timeline = new Timeline(Dice.of(options.seed(), 2), judge);
        RunWatch runs = new RunWatch(judge);
        Tracks tracks = new Tracks(judge, runs);
        Faults faults = new Faults(options, leftOut);
        World.Parts parts = new World.Parts(
                options, judge, timeline, tracks, runs, new WorkerLeases(judge, tracks), new Instants(judge), faults);
        Store store = new Store(parts, opener);
        try {
            Drama drama = new Drama(parts, store);
            try {
                drama.open(!isFaultless);
                drama.chaos(maxEvents);
                drama.heal();
            } catch (RuntimeException bug) {
                judge.broken("I0", "a call from outside met a fault in Headgate: " + bug);
            }
            return new WorldResult(
                    judge.events(),
                    faults.done(),
                    judge.violation(),
                    faults.counts(),
                    drama.overlaps(),
                    drama.longestOverlapNanos(),
                    tracks.callers().calls(),
                    tracks.callers().lates(),
                    judge.hash());
        } finally {
            store.close();
        }
    }
}
