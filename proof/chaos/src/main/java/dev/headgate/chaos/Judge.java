package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Verification;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compares what the store says with what the client was told and with what handlers did. Each broken promise is one
 * finding in the report, under the number it has in docs/reliability.md.
 */
final class Judge {
    private static final int LOST_MAX = 3;

    private final Headgate headgate;
    private final Folder folder;
    private final Report report;

    Judge(Headgate headgate, Folder folder, Report report) {
        this.headgate = headgate;
        this.folder = folder;
        this.report = report;
    }

    /** How a job ended, as it was first seen; it must not change. */
    record Ending(JobState state, String result, Instant at) {}

    /** All that can be said while things go on: counters, and ends that stay as they were. */
    static void checkpoint(Headgate headgate, Map<Long, Ending> endings, Report report) {
        report.count("checkpoints", 1);
        headgate.recount().forEach(drift -> report.find("I13 counters = recount", drift.toString()));
        for (JobState state : List.of(JobState.SUCCEEDED, JobState.FAILED)) {
            headgate.list(JobFilter.all().state(state).limit(JobFilter.LIMIT_MAX)).stream()
                    .filter(job -> job.times().finishedAt() != null)
                    .forEach(job -> endings.putIfAbsent(job.id().value(), ending(job)));
        }
    }

    private static Ending ending(JobStatus job) {
        return new Ending(
                job.state(),
                String.valueOf(job.report().result()),
                Objects.requireNonNull(job.times().finishedAt()));
    }

    /** Everything, once nothing goes on any more. */
    void conclude(Map<Long, Ending> endings) {
        Map<Long, JobStatus> jobs = everyJob();
        report.count("jobs stored", jobs.size());
        client(jobs);
        ends(jobs, endings);
        Map<Long, List<Attempt>> lost = lostAttempts(jobs);
        new Runs(folder, report).judge(jobs, lost, headgate);
        leasesInOrder(lost, jobs);
        journal();
        quiet();
    }

    private Map<Long, JobStatus> everyJob() {
        Map<Long, JobStatus> jobs = new HashMap<>();
        JobFilter filter = JobFilter.all().limit(JobFilter.LIMIT_MAX);
        List<JobStatus> page = headgate.list(filter);
        while (!page.isEmpty()) {
            page.forEach(job -> jobs.put(job.id().value(), job));
            page = headgate.list(filter.before(page.getLast().id()));
        }
        return jobs;
    }

    private void client(Map<Long, JobStatus> jobs) {
        Map<Long, Long> stored = new HashMap<>();
        jobs.values().forEach(job -> {
            long n = Load.number(job.spec().payload());
            Long other = stored.put(n, job.id().value());
            if (other != null) {
                report.find("I2 no invention", "number %d is job %s and job %d".formatted(n, job.id(), other));
            }
        });
        Map<Long, String> answers = new HashMap<>();
        for (String[] line : Trail.read(folder.client())) {
            long n = Long.parseLong(line[0]);
            answers.put(n, line[1]);
            if (line[1].equals("ACK")) {
                report.count("enqueues acknowledged", 1);
                if (!jobs.containsKey(Long.parseLong(line[2]))) {
                    report.find("I1 no loss", "job %s (number %d) was acknowledged and is gone".formatted(line[2], n));
                }
            } else if (line[1].equals("FAIL")) {
                report.count("enqueues refused", 1);
                if (stored.containsKey(n)) {
                    report.find("I2 no invention", "number %d: nothing was written, it said".formatted(n));
                }
            }
        }
        report.count(
                "enqueues in doubt",
                answers.values().stream()
                        .filter(answer -> answer.equals("ASK") || answer.equals("UNKNOWN"))
                        .count());
        stored.keySet().stream()
                .filter(n -> !answers.containsKey(n))
                .forEach(n -> report.find("I2 no invention", "number %d was never asked for".formatted(n)));
    }

    private void ends(Map<Long, JobStatus> jobs, Map<Long, Ending> endings) {
        for (JobStatus job : jobs.values()) {
            if (job.state() == JobState.SUCCEEDED) {
                long accepted = Load.epoch(String.valueOf(job.report().result()));
                if (accepted != job.leases().epoch()) {
                    report.find(
                            "I5 fenced effects",
                            "job %s: the end of epoch %d was taken in epoch %d"
                                    .formatted(job.id(), accepted, job.leases().epoch()));
                }
            } else if (isGivenUp(job)) {
                report.count("jobs that lost three workers", 1);
            } else {
                report.find(
                        "liveness",
                        "job %s is %s: %s"
                                .formatted(job.id(), job.state(), job.report().detail()));
            }
        }
        endings.forEach((id, before) -> {
            JobStatus job = jobs.get(id);
            if (job == null || !before.equals(ending(job))) {
                report.find("I14 terminal is final", "job %d was %s and is %s".formatted(id, before, job));
            }
        });
        report.count("ends seen before", endings.size());
    }

    /** Lost its worker too often: the one way to end badly. */
    private static boolean isGivenUp(JobStatus job) {
        return job.state() == JobState.FAILED && job.leases().lost() >= LOST_MAX;
    }

    /**
     * Leases that were taken away. Of a worker that came back alive they are noted as returned, and no longer count as a loss,
     * unless the job had ended before.
     */
    private Map<Long, List<Attempt>> lostAttempts(Map<Long, JobStatus> jobs) {
        Map<Long, List<Attempt>> attempts = new HashMap<>();
        for (JobStatus job : jobs.values()) {
            if (job.leases().epoch() > 1) {
                List<Attempt> taken = headgate.attempts(job.id()).stream()
                        .filter(attempt -> Set.of("lost", "returned").contains(attempt.outcome()))
                        .toList();
                long lost = taken.stream()
                        .filter(attempt -> attempt.outcome().equals("lost"))
                        .count();
                if (!taken.isEmpty()) {
                    attempts.put(job.id().value(), taken);
                    report.count("leases lost", taken.size());
                }
                if (job.leases().lost() < lost || job.leases().lost() > taken.size()) {
                    report.find(
                            "I16 attempts",
                            "job %s counts %d lost leases; of %d that were taken away, %d are lost"
                                    .formatted(job.id(), job.leases().lost(), taken.size(), lost));
                }
            }
        }
        return attempts;
    }

    /** Leases of one job follow one another, in store time. */
    private void leasesInOrder(Map<Long, List<Attempt>> lost, Map<Long, JobStatus> jobs) {
        lost.forEach((id, attempts) -> {
            List<Attempt> all = new ArrayList<>(attempts);
            JobStatus job = Objects.requireNonNull(jobs.get(id));
            for (int i = 1; i < all.size(); i++) {
                Instant began = all.get(i).startedAt();
                if (all.get(i).epoch() <= all.get(i - 1).epoch()) {
                    report.find("I4 epochs rise", "job %s: %s".formatted(id, all));
                }
                if (began != null && began.isBefore(all.get(i - 1).endedAt())) {
                    report.find("I3 one valid lease", "job %s: %s".formatted(id, all));
                }
            }
            Instant last = job.times().startedAt();
            boolean isLater =
                    !all.isEmpty() && job.leases().epoch() > all.getLast().epoch();
            if (isLater && last != null && last.isBefore(all.getLast().endedAt())) {
                report.find("I3 one valid lease", "job %s: %s, then %s".formatted(id, all, last));
            }
        });
    }

    /** Every batch of starts, judged by the limits in force then. */
    private void journal() {
        for (GateKey gate : headgate.evidence().gates()) {
            Verification verification = headgate.evidence().verify(gate, null, null);
            for (Certificate limit : verification.limits()) {
                report.count("starts judged by the journal", limit.starts());
                if (!limit.isKept()) {
                    report.find(
                            "I6, I8, I9 limits",
                            "%s %s: %d violations, such as %s"
                                    .formatted(
                                            gate,
                                            limit.limit(),
                                            limit.violations(),
                                            limit.examples().getFirst()));
                }
            }
            verification.findings().forEach(finding -> report.find("journal", "%s: %s".formatted(gate, finding)));
            if (verification.isClean() && !verification.isGood()) {
                report.find("journal", "%s: there is no evidence".formatted(gate));
            }
        }
    }

    private void quiet() {
        headgate.recount().forEach(drift -> report.find("I13 counters = recount", drift.toString()));
        var now = headgate.overview();
        now.gates().stream()
                .filter(gate -> gate.leases() != 0)
                .forEach(gate -> report.find("I12 no orphan", gate.toString()));
        now.workers().forEach(worker -> report.find("I29 shutdown", "still registered: " + worker));
    }
}
