package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.operate.PruneGates;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what ended a while ago: in a third of the worlds the workers do, after a few seconds; in a third an operator
 * does, now and then, as far back as it likes, which may be no time at all.
 */
final class Pruners {
    private static final long MILLI = 1_000_000;

    private final Options options;
    private final Timeline timeline;
    private final Dice dice;
    private final Dice gateDice;
    private final JobStore jobs;
    private final boolean isThere;
    private boolean isBusy;
    private boolean isOver;

    Pruners(World.Parts parts, Store store) {
        this.options = parts.options();
        this.timeline = parts.timeline();
        this.dice = Dice.of(options.seed(), 990);
        Host host = new Host("pruner");
        host.up();
        this.jobs = new JobStore(new Line(host, store, Dice.of(options.seed(), 991)), timeline::now);
        this.isThere = dice.oneIn(3);
        this.gateDice = Dice.of(options.seed(), 993);
    }

    /** How long what has ended is kept in this world; absent means that nothing is said of it. */
    static @Nullable Duration retention(long seed) {
        Dice dice = Dice.of(seed, 992);
        return dice.oneIn(3) ? Duration.ofMillis(dice.spread(200, 8_000)) : null;
    }

    void open() {
        if (isThere) {
            timeline.after(7_000_000, null, this::act);
        }
        if (options.isGentle()) {
            timeline.after(11_000_000, null, this::forgetGates);
        }
    }

    /** The rows of gates that are as new. Not where the store's clock may step back: there they would have to be so for long. */
    private void forgetGates() {
        if (isOver) {
            return;
        }
        timeline.after(gateDice.spread(50 * MILLI, 2_000 * MILLI), null, this::forgetGates);
        if (isBusy) {
            return;
        }
        isBusy = true;
        try {
            new PruneGates(jobs.backend(), Duration.ZERO).all();
        } catch (StoreUnavailableException away) {
            // The checkers have seen what was done.
        } finally {
            isBusy = false;
        }
    }

    void stop() {
        isOver = true;
    }

    private void act() {
        if (isOver) {
            return;
        }
        timeline.after(dice.spread(100 * MILLI, 4_000 * MILLI), null, this::act);
        if (isBusy) {
            return;
        }
        isBusy = true;
        try {
            jobs.prune(Duration.ofMillis(dice.oneIn(4) ? 0 : dice.below(6_000)));
        } catch (StoreUnavailableException away) {
            // Some batches are done, and the checkers have seen them.
        } finally {
            isBusy = false;
        }
    }
}
