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

/**
 * I19 in the long run: when all is well, more is asked of a gate than it allows, and it must let start at least 95 % of
 * what it allows. The workers are those that the chaos has left.
 */
final class Rush {
    private static final String GATE = "rush";
    private static final String QUEUE = Options.QUEUES.getFirst();
    private static final int JOBS = 61;
    private static final long SECOND_MICROS = 1_000_000;

    /** A limit, and how long {@link #JOBS} starts take if none is late. One slot is enough for each of them. */
    private record Course(String limits, long micros) {}

    private static final List<Course> COURSES = List.of(
            new Course("rate 20/1s burst 1", (JOBS - 1) * SECOND_MICROS / 20),
            new Course("rate 30/1s burst 5", (JOBS - 5) * SECOND_MICROS / 30),
            new Course("window 10/1s", (JOBS - 1) / 10 * SECOND_MICROS),
            new Course("spaced 25/1s", (JOBS - 1) * SECOND_MICROS / 25));

    private final World.Parts parts;
    private final Store store;
    private final JobStore jobs;

    Rush(World.Parts parts, Store store) {
        this.parts = parts;
        this.store = store;
        Host host = new Host(GATE);
        host.up();
        this.jobs = new JobStore(new Line(host, store, Dice.of(parts.options().seed(), 980)), parts.timeline()::now);
    }

    void run() {
        Course course = COURSES.get((int) Math.floorMod(parts.options().seed(), (long) COURSES.size()));
        store.calm();
        jobs.setPolicy(GateKey.queue(QUEUE), GatePolicy.OPEN);
        jobs.setPolicy(GateKey.gate(GATE), GatePolicy.parse(course.limits));
        List<NewJob> batch = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            batch.add(Jobs.job(QUEUE)
                    .type(World.TYPES.getFirst())
                    .gate(GATE)
                    .payload("{\"token\":-2,\"gates\":[]}")
                    .build());
        }
        List<Inserted> rows = jobs.enqueue(batch);
        parts.timeline().runUntil(parts.timeline().now() + 2_000 * course.micros);
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Inserted row : rows) {
            Track track = Objects.requireNonNull(parts.tracks().find(row.id()));
            if (track.attempt == 0) {
                late("has let start less than half of what it allows", course);
                return;
            }
            first = Math.min(first, track.grantedAt);
            last = Math.max(last, track.grantedAt);
        }
        if ((last - first) * 95 > course.micros * 100) {
            late(
                    "took %d ms for what it allows in %d".formatted((last - first) / 1_000, course.micros / 1_000),
                    course);
        }
    }

    private void late(String what, Course course) {
        parts.judge().broken("I19", "%s: %s %s".formatted(GateKey.gate(GATE), course.limits, what));
    }
}
