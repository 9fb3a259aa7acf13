package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.explain.Explanation;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import java.util.concurrent.CountDownLatch;

/** Asks why a job waits: for a place that another job holds, for time to pass, or for a worker. */
public final class ExplainAWait {
    private ExplainAWait() {}

    record Page(int number) {}

    static final JobType<Page> PRINT = JobType.of("print", Page.class);
    static final JobType<Page> MAIL = JobType.of("mail", Page.class);

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch isPrinting = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:printer.db")) {
            headgate.policies()
                    .gate("printer", gate -> gate.limit(concurrency(1)))
                    .gate("mail", gate -> gate.limit(rate(1).per(ofHours(1))));
            headgate.handle(PRINT, (page, job) -> {
                isPrinting.countDown();
                mayEnd.await();
            });
            headgate.handle(MAIL, (page, job) -> {});

            JobId nobody = headgate.enqueue(PRINT, new Page(1), job -> job.queue("attic"))
                    .id();
            System.out.println(headgate.explain(nobody));

            headgate.worker("office").start();
            headgate.enqueue(PRINT, new Page(2), job -> job.queue("office").gate("printer"));
            isPrinting.await();
            JobId second = headgate.enqueue(
                            PRINT, new Page(3), job -> job.queue("office").gate("printer"))
                    .id();
            explain(headgate, second);

            JobId mailed = headgate.enqueue(
                            MAIL, new Page(2), job -> job.queue("office").gate("mail"))
                    .id();
            headgate.await(mailed, ofSeconds(10));
            JobId later = headgate.enqueue(
                            MAIL, new Page(3), job -> job.queue("office").gate("mail"))
                    .id();
            explain(headgate, later);
            mayEnd.countDown();
            headgate.await(second, ofSeconds(10));
        }
    }

    private static void explain(Headgate headgate, JobId id) {
        // docs:begin explain
        Explanation why = headgate.explain(id);
        System.out.println(why.summary());
        for (Explanation.GateAnswer gate : why.place().gates()) {
            System.out.println(
                    "  %s [%s]: %s".formatted(gate.gate(), gate.policy().text(), gate.decision()));
        }
        // docs:end
    }
}
