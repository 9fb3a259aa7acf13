package dev.headgate.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What becomes of a job whose handler throws: tried again by a policy, at a time of its choosing, or never. */
public final class RetriesAndPermanentFailures {
    private RetriesAndPermanentFailures() {}

    record Charge(String card) {}

    static final JobType<Charge> CHARGE = JobType.of("charge-card", Charge.class);

    public static void main(String[] args) throws InterruptedException {
        Set<String> blocked = ConcurrentHashMap.newKeySet();
        blocked.add("stolen");
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:charges.db")) {
            handle(headgate, blocked);
            headgate.worker("default").start();
            for (String card : new String[] {"good", "flaky", "busy", "stolen"}) {
                report(headgate, headgate.enqueue(CHARGE, new Charge(card)).id());
            }

            blocked.clear();
            int revived = redrive(headgate);
            System.out.println("redriven: %d".formatted(revived));
            JobId last = headgate.list(JobFilter.all()).getFirst().id();
            report(headgate, last);
        }
    }

    private static void handle(Headgate headgate, Set<String> blocked) {
        // docs:begin retry-options
        HandlerOptions options = HandlerOptions.DEFAULT
                .attempts(5)
                .retry(RetryPolicy.exponential(ofMillis(20)).max(ofSeconds(1)).jitter(20))
                .timeout(ofSeconds(5));
        // docs:end
        // docs:begin retry-handler
        headgate.handle(
                CHARGE,
                (charge, job) -> {
                    if (blocked.contains(charge.card())) {
                        throw new PermanentFailure("the card is blocked");
                    }
                    if (charge.card().equals("busy") && job.attempt() == 1) {
                        throw RetryLater.after(ofMillis(50), "the bank asked to come back");
                    }
                    if (charge.card().equals("flaky") && job.attempt() < 3) {
                        throw new IOException("the bank did not answer");
                    }
                },
                options);
        // docs:end
    }

    private static void report(Headgate headgate, JobId id) throws InterruptedException {
        JobStatus ended = headgate.await(id, ofSeconds(10)).orElseThrow();
        System.out.println(
                "%s after attempt %d".formatted(ended.state(), ended.leases().attempt()));
        for (Attempt attempt : headgate.attempts(id)) {
            String error = attempt.error().lines().findFirst().orElse("");
            System.out.println("  attempt %d %s: %s".formatted(attempt.number(), attempt.outcome(), error));
        }
    }

    private static int redrive(Headgate headgate) {
        // docs:begin redrive
        return headgate.redrive(JobFilter.all().type("charge-card").state(JobState.FAILED));
        // docs:end
    }
}
