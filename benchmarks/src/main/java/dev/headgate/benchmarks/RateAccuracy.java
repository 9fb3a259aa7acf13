package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.admission.Limit;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Rate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.store.JobFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Four worker processes at one rate: how many starts were over the limit, and how much of it was used. */
final class RateAccuracy {
    private static final int ENQUEUE_MAX = 10_000;

    private RateAccuracy() {}

    public static void main(String[] args) throws InterruptedException {
        int processes = Integer.getInteger("processes", 4);
        int seconds = Integer.getInteger("seconds", 60);
        Rate rate = Limit.rate(Integer.getInteger("rate", 200))
                .per(Duration.ofSeconds(1))
                .burst(Integer.getInteger("burst", 10));
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                measure(stores, kind, rate, processes, seconds);
            }
        }
    }

    private static void measure(Stores stores, String kind, Rate rate, int processes, int seconds)
            throws InterruptedException {
        int jobs = (int) (rate.count() * seconds);
        String url = stores.freshUrl(kind);
        try (Headgate headgate = Headgate.open(url)) {
            headgate.policies().gate("api", g -> g.limit(rate));
            List<WorkerProcess> workers = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                workers.add(WorkerProcess.start(url, "q", 10));
            }
            try {
                JobId last = enqueue(headgate, jobs);
                if (headgate.await(last, Duration.ofSeconds(seconds * 3L)).isEmpty()) {
                    throw new IllegalStateException("the last job did not end in time");
                }
            } finally {
                workers.forEach(WorkerProcess::close);
            }
            report(kind, rate, processes, starts(headgate));
        }
    }

    private static JobId enqueue(Headgate headgate, int jobs) {
        JobId last = null;
        for (int from = 0; from < jobs; from += ENQUEUE_MAX) {
            List<WorkerProcess.Nothing> payloads = IntStream.range(from, Math.min(jobs, from + ENQUEUE_MAX))
                    .mapToObj(WorkerProcess.Nothing::new)
                    .toList();
            last = headgate.enqueueAll(
                            WorkerProcess.NOOP,
                            payloads,
                            (p, job) -> job.queue("q").gate("api"))
                    .getLast()
                    .id();
        }
        return Objects.requireNonNull(last);
    }

    private static List<Long> starts(Headgate headgate) {
        List<Long> starts = new ArrayList<>();
        Long before = null;
        List<JobStatus> page;
        do {
            page = headgate.list(new JobFilter(null, null, JobState.SUCCEEDED, before, JobFilter.LIMIT_MAX));
            page.forEach(job -> starts.add(Micros.of(Objects.requireNonNull(job.startedAt()))));
            before = page.isEmpty() ? null : page.getLast().id().value();
        } while (page.size() == JobFilter.LIMIT_MAX);
        Collections.sort(starts);
        return starts;
    }

    /** In any interval of length t at most burst + rate × t, checked for every pair of starts by replaying the bucket. */
    private static void report(String kind, Rate rate, int processes, List<Long> starts) {
        long perUnit = Micros.of(rate.per());
        long full = rate.burst() * perUnit;
        long level = full;
        long over = 0;
        long at = starts.getFirst();
        for (long start : starts) {
            level = Math.min(full, level + (start - at) * rate.count());
            at = start;
            if (level < perUnit) {
                over++;
            }
            level -= perUnit;
        }
        double allowed = rate.burst() + (starts.getLast() - starts.getFirst()) / (double) perUnit * rate.count();
        System.out.printf(
                "%s: %d processes, %s: %d starts, %d over the limit in any window, %.2f %% of the allowed rate used%n",
                kind, processes, rate.text(), starts.size(), over, 100.0 * starts.size() / allowed);
    }
}
