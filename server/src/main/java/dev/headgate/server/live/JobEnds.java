package dev.headgate.server.live;

import dev.headgate.internal.query.JobStatuses;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.Backend;
import dev.headgate.spi.HistoryRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lets requests wait for the ends of jobs. However many wait, the store is asked once each time: which of these have ended? */
public final class JobEnds implements AutoCloseable {
    private static final Duration LOOKED_EACH = Duration.ofMillis(50);
    private static final int ASKED_AT_ONCE = 1_000;

    private final Backend backend;
    private final Map<Long, Waiters> waiting = new ConcurrentHashMap<>();
    private final SharedLook shared = new SharedLook(LOOKED_EACH, this::look);

    /** The requests that wait for one job. */
    private static final class Waiters {
        private int count;
        private volatile @Nullable JobStatus end;
    }

    public JobEnds(Backend backend) {
        this.backend = backend;
    }

    /** Waits until the job has ended; empty if it has not within this time, or is deleted. */
    public Optional<JobStatus> await(JobId id, Duration most) throws InterruptedException {
        Waiters mine = waiting.compute(id.value(), (job, known) -> {
            Waiters waiters = known == null ? new Waiters() : known;
            waiters.count++;
            return waiters;
        });
        try {
            shared.await(() -> mine.end != null, most);
            return Optional.ofNullable(mine.end);
        } finally {
            waiting.computeIfPresent(id.value(), (job, waiters) -> --waiters.count == 0 ? null : waiters);
        }
    }

    /** How many jobs are waited for. */
    int waiting() {
        return waiting.size();
    }

    private void look() {
        List<Long> ids = waiting.entrySet().stream()
                .filter(entry -> entry.getValue().end == null)
                .map(Map.Entry::getKey)
                .toList();
        for (int from = 0; from < ids.size(); from += ASKED_AT_ONCE) {
            List<Long> asked = ids.subList(from, Math.min(ids.size(), from + ASKED_AT_ONCE));
            List<HistoryRow> ended =
                    new ArrayList<>(backend.read(tx -> tx.history().findAll(asked)));
            for (HistoryRow row : ended) {
                Waiters waiters = waiting.get(row.id());
                if (waiters != null) {
                    waiters.end = JobStatuses.status(row);
                }
            }
        }
    }

    @Override
    public void close() {
        shared.close();
    }
}
