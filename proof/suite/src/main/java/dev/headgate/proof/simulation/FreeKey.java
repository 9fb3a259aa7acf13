package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Jobs;
import dev.headgate.spi.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * I32: when all is well, a job on a free key comes behind jobs on keys that have just become blocked, and must start at once.
 * The workers are those that the chaos has left; all their slots are free.
 */
final class FreeKey {
    private static final String QUEUE = Options.QUEUES.getFirst();
    private static final int KEYS = 120;
    private static final long SECOND_NANOS = 1_000_000_000;

    /** A worker that pauses between turns in which it only denies needs longer than this. */
    private static final long WAIT_MICROS_MAX = 250_000;

    private final World.Parts parts;
    private final Store store;
    private final JobStore jobs;

    FreeKey(World.Parts parts, Store store) {
        this.parts = parts;
        this.store = store;
        Host host = new Host("free-key");
        host.up();
        this.jobs = new JobStore(new Line(host, store, Dice.of(parts.options().seed(), 981)), parts.timeline()::now);
    }

    void run() {
        store.calm();
        jobs.setPolicy(GateKey.queue(QUEUE), GatePolicy.OPEN);
        jobs.setPolicy(GateKey.gate("key:*"), GatePolicy.parse("spaced 1/1h"));
        jobs.enqueue(oneForEach());
        parts.timeline().runUntil(parts.timeline().now() + 10 * SECOND_NANOS);
        jobs.enqueue(oneForEach());
        long from = store.micros();
        long id = jobs.enqueue(List.of(job("key:free"))).getFirst().id();
        parts.timeline().runUntil(parts.timeline().now() + 10 * SECOND_NANOS);
        Track free = Objects.requireNonNull(parts.tracks().find(id));
        if (free.attempt == 0 || free.grantedAt - from > WAIT_MICROS_MAX) {
            parts.judge()
                    .broken(
                            "I32",
                            "a free key's job waited %s behind %d blocked keys, with free slots"
                                    .formatted(
                                            free.attempt == 0
                                                    ? "for more than 10 s"
                                                    : (free.grantedAt - from) / 1_000 + " ms",
                                            KEYS));
        }
    }

    private static List<NewJob> oneForEach() {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            batch.add(job("key:" + i));
        }
        return batch;
    }

    private static NewJob job(String gate) {
        return Jobs.job(QUEUE)
                .type(World.TYPES.getFirst())
                .gate(gate)
                .payload("{\"token\":-2,\"gates\":[]}")
                .build();
    }
}
