package dev.headgate.examples;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import java.time.Instant;

/** What may be said about a job when it is enqueued, and what comes back. */
public final class OptionsOfAJob {
    private OptionsOfAJob() {}

    record Report(int month) {}

    static final JobType<Report> REPORT = JobType.of("report", Report.class);

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:reports.db")) {
            enqueue(headgate, Instant.now());
            keepTheResult(headgate);
            headgate.worker("reports").start();
            for (JobStatus job : headgate.list(JobFilter.all().queue("reports"))) {
                if (job.state() == JobState.SCHEDULED) {
                    System.out.println("%s: due later".formatted(job.id()));
                } else {
                    JobId id = headgate.await(job.id(), ofSeconds(10))
                            .orElseThrow()
                            .id();
                    String result = headgate.result(id, String.class).orElse("nothing");
                    System.out.println("%s: %s".formatted(id, result));
                }
            }
        }
    }

    private static void enqueue(Headgate headgate, Instant now) {
        // docs:begin options
        // Not before an hour has passed, or not before an instant.
        headgate.enqueue(REPORT, new Report(1), job -> job.queue("reports").delay(ofHours(1)));
        headgate.enqueue(REPORT, new Report(2), job -> job.queue("reports").at(now.plus(ofDays(1))));

        // A job that becomes due goes behind the jobs already waiting. This job goes before all jobs enqueued after it.
        headgate.enqueue(
                REPORT,
                new Report(7),
                job -> job.queue("reports").delay(ofHours(1)).keepPlace());

        // Before other jobs of its lane: by priority, and at the same priority by going to the front.
        headgate.enqueue(REPORT, new Report(3), job -> job.queue("reports").priority(10));
        headgate.enqueue(REPORT, new Report(4), job -> job.queue("reports").front());

        // At most 5 attempts of 2 minutes each, 10 seconds apart, and done within the hour or not at all.
        headgate.enqueue(
                REPORT,
                new Report(5),
                job -> job.queue("reports")
                        .attempts(5)
                        .timeout(ofMinutes(2))
                        .retry(RetryPolicy.fixed(ofSeconds(10)))
                        .deadline(now.plus(ofHours(1))));

        // Only one live job with this key; the second call adds nothing and returns the first job.
        Enqueued first = headgate.enqueue(
                REPORT, new Report(6), job -> job.queue("reports").dedup("report:6"));
        Enqueued again = headgate.enqueue(
                REPORT, new Report(6), job -> job.queue("reports").dedup("report:6"));
        // docs:end
        System.out.println("new: %s, then %s; same job: %s"
                .formatted(first.isNew(), again.isNew(), first.id().equals(again.id())));
    }

    private static void keepTheResult(Headgate headgate) {
        // docs:begin handle-with-result
        headgate.handleWithResult(REPORT, (report, job) -> "report of month " + report.month());
        // docs:end
    }
}
