package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Jobs;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * I19 where starts are late: processes on a machine that is too busy reach their handlers too late again and again, and share
 * gates with margins. None of them looks for work by itself, so a wake-up that is forgotten shows: with a poll it would
 * only cost some seconds.
 */
final class Swamped {
    private static final String QUEUE = Options.QUEUES.getFirst();
    private static final String GATE = "swamped";
    private static final String SHARE = "share:";
    private static final int SHARES = 5;
    private static final int JOBS = 60;
    private static final long MILLI = 1_000_000;

    /** A rest of a worker, a first start that goes alone and a window take a second each, and a call some moments. */
    private static final long IDLE_NANOS_MAX = 4_000 * MILLI;

    private static final long NANOS_MAX = 600_000 * MILLI;

    private final World.Parts parts;
    private final Store store;
    private final Theatre theatre;
    private final Dice dice;
    private final JobStore jobs;

    Swamped(World.Parts parts, Store store, Theatre theatre) {
        this.parts = parts;
        this.store = store;
        this.theatre = theatre;
        this.dice = Dice.of(parts.options().seed(), 983);
        Host host = new Host(GATE);
        host.up();
        this.jobs = new JobStore(new Line(host, store, Dice.of(parts.options().seed(), 985)), parts.timeline()::now);
    }

    /** All workers of this world have stopped. */
    void run(World world) {
        Timeline timeline = parts.timeline();
        store.calm();
        String fair = dice.oneIn(4) ? "" : "; fair by " + SHARE + "*" + dice.pick(List.of("", " by-cost", " by-time"));
        jobs.setPolicy(GateKey.queue(QUEUE), GatePolicy.OPEN);
        jobs.setPolicy(GateKey.gate(GATE), GatePolicy.parse("window 20/1s margin 80ms; concurrency 6" + fair));
        jobs.setPolicy(GateKey.gate(SHARE + "*"), GatePolicy.parse("window 8/1s margin 80ms"));
        store.slow(400, 150 * MILLI);
        theatre.lag((int) dice.between(200, 700));
        world.openDrowsy(1 + dice.below(2));
        List<Inserted> rows = jobs.enqueue(batch());
        long begun = timeline.now();
        long movedAt = begun;
        long moves = -1;
        while (live(rows) > 0 && !parts.judge().isOver()) {
            timeline.runUntil(timeline.now() + 250 * MILLI);
            if (parts.tracks().moves() != moves || isAllPaused(rows)) {
                moves = parts.tracks().moves();
                movedAt = timeline.now();
            }
            long idle = timeline.now() - movedAt;
            if (idle > IDLE_NANOS_MAX || timeline.now() - begun > NANOS_MAX) {
                parts.judge()
                        .broken(
                                "I19",
                                "%d jobs have not ended %d ms after they came, and nobody has moved for %d ms"
                                        .formatted(live(rows), (timeline.now() - begun) / MILLI, idle / MILLI));
            }
        }
        theatre.lag(0);
        store.calm();
    }

    private long live(List<Inserted> rows) {
        return liveOf(rows).count();
    }

    /** After a second loss a job comes back some seconds later than those that were lost with it: nothing could start earlier. */
    private boolean isAllPaused(List<Inserted> rows) {
        return liveOf(rows).allMatch(job -> job.notBefore > parts.tracks().now());
    }

    private Stream<Track> liveOf(List<Inserted> rows) {
        return rows.stream()
                .map(row -> Objects.requireNonNull(parts.tracks().find(row.id())))
                .filter(Track::isLive);
    }

    private List<NewJob> batch() {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            batch.add(Jobs.job(QUEUE)
                    .type(World.TYPES.get(dice.below(World.TYPES.size())))
                    .gate(GATE)
                    .gate(SHARE + dice.below(SHARES))
                    .payload("{\"token\":-2,\"gates\":[]}")
                    .build());
        }
        return batch;
    }
}
