package dev.headgate.internal.query;

import dev.headgate.explain.Reason.NoRoom;
import dev.headgate.internal.resource.Estimate;
import dev.headgate.internal.resource.Estimate.Basis;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.resource.ResourceStore.Known;
import dev.headgate.internal.resource.TimeLeft;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Spans;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job that its gates would let start fits any of the workers that serve its queue, by what they last said of
 * their room, which is some seconds old.
 */
final class RoomAnswer {
    private final StoreTransaction tx;
    private final long now;

    RoomAnswer(StoreTransaction tx, long now) {
        this.tx = tx;
        this.now = now;
    }

    /** Why it starts nowhere; absent if it fits a worker, or one of them does not mind. */
    @Nullable
    NoRoom of(JobRow job) {
        List<WorkerRow> workers = new ArrayList<>();
        for (WorkerRow worker : tx.workers().list()) {
            if (worker.isServing(job.spec().lane().queue(), now)) {
                workers.add(worker);
            }
        }
        boolean isAnyUnminding = workers.stream()
                .anyMatch(worker -> !Capacity.parse(worker.room()).isTold());
        if (workers.isEmpty() || isAnyUnminding) {
            return null;
        }
        Known known = Objects.requireNonNullElse(
                ResourceStore.known(tx, job.spec().type()), new Known(Needs.NONE, null, null));
        Estimate estimate = Estimate.of(known.needs(), known.micros(), known.profile(), null);
        boolean isTooBig = true;
        WorkerRow first = null;
        String firstLacks = "";
        for (WorkerRow worker : workers) {
            Capacity capacity = Capacity.parse(worker.room());
            String why = lacking(estimate, capacity);
            if (why == null) {
                return null;
            }
            isTooBig &= !estimate.isMemoryMeasured() && capacity.lacking(estimate.needs(), true) != null;
            if (first == null) {
                first = worker;
                firstLacks = why;
            }
        }
        String needs = estimate.basis() == Basis.GUESSED
                ? "no run of its type was measured yet, so it is taken to need a third of the memory"
                : "needs %s%s".formatted(estimate.needs(), source(estimate, known));
        WorkerRow named = Objects.requireNonNull(first, "there is a worker");
        return new NoRoom(isTooBig, needs, named.id(), named.name(), firstLacks, workers.size() - 1);
    }

    private static String source(Estimate estimate, Known known) {
        TypeFigures.Memory measured = estimate.isMemoryMeasured() && known.profile() != null
                ? known.profile().memory()
                : null;
        return measured == null
                ? ""
                : " (the most of %d measured runs was %s)"
                        .formatted(measured.runs(), Needs.spoken(Needs.MEMORY, measured.bytes()));
    }

    private static boolean isGuessLacking(Estimate estimate, Capacity capacity) {
        Capacity.Level memory = capacity.level(Needs.MEMORY);
        return estimate.basis() == Basis.GUESSED && memory.free() < memory.whole() / Estimate.GUESS_PART;
    }

    private static @Nullable String lacking(Estimate estimate, Capacity capacity) {
        Capacity.Level time = capacity.levels().get(Capacity.TIME);
        if (time != null) {
            long unknown = new TimeLeft(time.free(), time.whole()).unknownMicros();
            long micros = Objects.requireNonNullElse(estimate.micros(), unknown);
            if (micros > time.free()) {
                return "ends in %s, and it takes %s"
                        .formatted(Spans.text(Micros.duration(time.free())), Spans.text(Micros.duration(micros)));
            }
        }
        String resource = isGuessLacking(estimate, capacity) ? Needs.MEMORY : capacity.lacking(estimate.needs(), false);
        if (resource == null) {
            return null;
        }
        Capacity.Level level = capacity.level(resource);
        if (level.whole() == 0) {
            return "has no %s, or its gauge does not answer (then its log says why)".formatted(resource);
        }
        boolean isMeasuredAlone =
                estimate.isMemoryMeasured() && resource.equals(Needs.MEMORY) && level.free() >= level.whole();
        return isMeasuredAlone
                ? null
                : "has %s of %s %s free"
                        .formatted(
                                Needs.spoken(resource, level.free()), Needs.spoken(resource, level.whole()), resource);
    }
}
