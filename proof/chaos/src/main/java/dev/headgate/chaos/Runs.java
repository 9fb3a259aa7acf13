package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What handlers did, by their own account: one run for each lease. A run counts until it ended, until its process was
 * dead, or until the store took the lease away, whichever came first; what a handler does after that is what cannot be
 * promised, and is reported.
 */
final class Runs {
    private final Folder folder;
    private final Report report;
    private final Map<Lease, Run> runs = new HashMap<>();

    Runs(Folder folder, Report report) {
        this.folder = folder;
        this.report = report;
    }

    private record Lease(long job, long epoch) {}

    private static final class Run {
        private final Lease lease;
        private final long process;
        private final long n;
        private final long began;
        private long ended = Long.MAX_VALUE;
        private boolean isFinished;

        private Run(Lease lease, long process, long n, long began) {
            this.lease = lease;
            this.process = process;
            this.n = n;
            this.began = began;
        }
    }

    void judge(Map<Long, JobStatus> jobs, Map<Long, List<Attempt>> lost, Headgate headgate) {
        read();
        report.count("handler runs", runs.size());
        endsOfProcesses();
        endsOfLeases(lost, offset(headgate));
        for (Run run : runs.values()) {
            JobStatus job = jobs.get(run.lease.job());
            if (job == null) {
                report.find("I2 no invention", "job %d ran and is not stored".formatted(run.lease.job()));
            } else if (run.lease.epoch() > job.leases().epoch()) {
                report.find(
                        "I4 epochs rise",
                        "job %d ran in epoch %d, and is at %d"
                                .formatted(
                                        run.lease.job(),
                                        run.lease.epoch(),
                                        job.leases().epoch()));
            } else if (run.isFinished
                    && (job.leases().epoch() != run.lease.epoch() || job.state() != JobState.SUCCEEDED)) {
                report.count("stale ends, all refused", 1);
            }
        }
        jobs.values().stream()
                .filter(job -> job.state() == JobState.SUCCEEDED)
                .filter(job ->
                        !isFinished(new Lease(job.id().value(), job.leases().epoch())))
                .forEach(job -> report.find("I2 no invention", "job %s succeeded and never ran".formatted(job.id())));
        overlaps("I3 one valid lease", run -> List.of(run.lease.job()), key -> 1);
        Map<String, Integer> most = Load.most();
        overlaps(
                "I6 at most N, by the handlers' own account",
                run -> Load.gates(run.n).stream().filter(most::containsKey).toList(),
                key -> most.getOrDefault(key, 0));
    }

    private boolean isFinished(Lease lease) {
        Run run = runs.get(lease);
        return run != null && run.isFinished;
    }

    private void read() {
        for (String[] line : Trail.read(folder.handlers())) {
            Lease lease = new Lease(Long.parseLong(line[1]), Long.parseLong(line[2]));
            long at = Long.parseLong(line[5]);
            Run run = runs.get(lease);
            if (line[3].equals("START")) {
                Run fresh = new Run(lease, Long.parseLong(line[0]), Long.parseLong(line[4]), at);
                if (runs.put(lease, fresh) != null) {
                    report.find("I4 epochs rise", "%s was run twice".formatted(lease));
                }
            } else if (run != null) {
                run.ended = at;
                run.isFinished = line[3].equals("END");
            }
        }
    }

    private void endsOfProcesses() {
        Map<Long, Long> deaths = new HashMap<>();
        Trail.read(folder.deaths()).forEach(line -> deaths.put(Long.parseLong(line[0]), Long.parseLong(line[2])));
        runs.values().forEach(run -> run.ended = Math.min(run.ended, deaths.getOrDefault(run.process, Long.MAX_VALUE)));
    }

    private void endsOfLeases(Map<Long, List<Attempt>> lost, long offset) {
        lost.forEach((job, attempts) -> attempts.forEach(attempt -> {
            Run run = runs.get(new Lease(job, attempt.epoch()));
            long taken = nanos(attempt.endedAt()) - offset;
            if (run != null && taken < run.ended) {
                report.count("handlers that ran on after their lease had ended", 1);
                run.ended = taken;
            }
        }));
    }

    /** How far the store's clock is ahead of the monotonic one: the smallest of some, which was delayed the least. */
    private static long offset(Headgate headgate) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = System.nanoTime();
            least = Math.min(least, nanos(headgate.overview().at()) - before);
        }
        return least;
    }

    private static long nanos(Instant instant) {
        return Duration.between(Instant.EPOCH, instant).toNanos();
    }

    private record Edge(long at, boolean isStart, Run run) {}

    /** Walks through all starts and ends in order: under no key are more runs open than may be. */
    private <K> void overlaps(String promise, Function<Run, Collection<K>> keys, Function<K, Integer> most) {
        List<Edge> edges = new ArrayList<>();
        for (Run run : runs.values()) {
            if (run.ended > run.began) {
                edges.add(new Edge(run.began, true, run));
                edges.add(new Edge(run.ended, false, run));
            }
        }
        edges.sort(Comparator.comparingLong(Edge::at).thenComparing(Edge::isStart));
        Map<K, List<Run>> open = new HashMap<>();
        for (Edge edge : edges) {
            for (K key : keys.apply(edge.run())) {
                List<Run> now = open.computeIfAbsent(key, any -> new ArrayList<>());
                if (edge.isStart()) {
                    now.add(edge.run());
                    if (now.size() > most.apply(key)) {
                        report.find(promise, "%s: %d ran at once, %s".formatted(key, now.size(), leases(now)));
                    }
                } else {
                    now.remove(edge.run());
                }
            }
        }
    }

    private static List<Lease> leases(List<Run> some) {
        return some.stream().map(run -> run.lease).toList();
    }
}
