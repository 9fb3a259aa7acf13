package dev.headgate.internal.workflow;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.run.RunStatus.Work.Stand;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.StepRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what keeps frames from going on: how the jobs stand that they wait for. Reads sets of frames, and for a whole tree
 * counts only, so that a run with many items costs a few statements.
 */
final class StepWork {
    private static final int PAGE = 1_000;

    private final StoreTransaction tx;
    private final long now;
    private final List<WorkerRow> workers;
    private final Set<String> alive = new HashSet<>();
    private final Map<String, Boolean> served = new HashMap<>();

    private StepWork(StoreTransaction tx) {
        this.tx = tx;
        this.now = tx.now();
        this.workers = tx.workers().list();
        for (WorkerRow worker : workers) {
            if (worker.leaseUntil() > now) {
                alive.add(worker.id());
            }
        }
    }

    private boolean isServed(String queue) {
        return served.computeIfAbsent(queue, each -> workers.stream().anyMatch(worker -> worker.isServing(each, now)));
    }

    /** By frame; one that waits for no job now is left out. */
    static Map<Long, Work> of(StoreTransaction tx, List<FrameRow> frames) {
        List<Long> live = frames.stream()
                .filter(frame -> frame.life().endedAt() == null)
                .map(FrameRow::id)
                .toList();
        Map<Long, Work> work = new HashMap<>();
        if (live.isEmpty()) {
            return work;
        }
        StepWork reader = new StepWork(tx);
        for (int from = 0; from < live.size(); from += PAGE) {
            List<Long> page = live.subList(from, Math.min(live.size(), from + PAGE));
            for (StepRow row : tx.demand().stepsOf(page, reader.now)) {
                work.merge(row.frame(), reader.work(row), (one, other) -> other.isRunning() ? other : one);
            }
        }
        return work;
    }

    /** All below a root, counted: most jobs first. */
    static List<Work> below(StoreTransaction tx, long root) {
        StepWork reader = new StepWork(tx);
        return counted(tx.demand().stepsBelow(root, reader.now).stream()
                .map(reader::work)
                .toList());
    }

    static List<Work> counted(List<Work> all) {
        record Like(Stand stand, String where) {}
        Map<Like, Work> counted = new LinkedHashMap<>();
        all.forEach(each -> counted.merge(new Like(each.stand(), each.where()), each, StepWork::sum));
        List<Work> most = new ArrayList<>(counted.values());
        most.sort(Comparator.comparingLong(Work::jobs)
                .reversed()
                .thenComparing(Work::stand)
                .thenComparing(Work::where));
        return most;
    }

    private static Work sum(Work one, Work other) {
        boolean isFirst = one.job().value() < other.job().value();
        return new Work(
                isFirst ? one.job() : other.job(),
                one.stand(),
                one.where(),
                earlier(one.due(), other.due()),
                one.jobs() + other.jobs());
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    private Work work(StepRow row) {
        String queue = GateKey.queue(row.queue()).toString();
        if (row.worker() != null) {
            return alive.contains(row.worker())
                    ? work(row, Stand.RUNNING, "")
                    : work(row, Stand.WORKER_LOST, row.worker());
        }
        if (row.parkReason() != null) {
            return parked(row, row.parkReason());
        }
        if (row.state() == JobState.SCHEDULED && row.runAt() > now) {
            return work(row, Stand.RETRYING, "");
        }
        if (row.waitingAt() != null) {
            return work(row, Stand.AT_GATE, row.waitingAt().toString());
        }
        if (tx.policies().isPaused(GateKey.queue(row.queue()))) {
            return work(row, Stand.QUEUE_PAUSED, queue);
        }
        return work(row, isServed(row.queue()) ? Stand.QUEUED : Stand.NO_WORKER, queue);
    }

    private Work parked(StepRow row, ParkReason reason) {
        return switch (reason) {
            case UNKNOWN_HANDLER -> work(row, Stand.UNKNOWN_TYPE, row.type());
            case PAUSED -> work(row, Stand.TYPE_PAUSED, row.type());
            case UNREADABLE_PAYLOAD, NEVER_FITS ->
                work(row, Stand.PARKED, reason.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        };
    }

    private static Work work(StepRow row, Stand stand, String where) {
        Instant due = stand == Stand.RETRYING ? Micros.instant(row.runAt()) : null;
        return new Work(new JobId(row.job()), stand, where, due, row.jobs());
    }
}
