package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;

/** The whole of it in one screen: limits, a handler, a job, a worker. */
public final class HelloHeadgate {
    private HelloHeadgate() {}

    // docs:begin hello
    record Question(String tenant, String text) {}

    static final JobType<Question> ASK =
            JobType.of("ask", Question.class).gate("provider").gate(question -> "tenant:" + question.tenant());

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:hello.db")) {
            Limit pace = rate(20).per(ofSeconds(1)).burst(5);
            headgate.policies()
                    .gate("provider", gate -> gate.limit(concurrency(5)).limit(pace))
                    .gate("tenant:*", gate -> gate.limit(concurrency(2)));

            headgate.handle(ASK, (ask, job) -> System.out.println(ask.tenant() + " asks: " + ask.text()));

            JobId id = headgate.enqueue(ASK, new Question("acme", "what is a headgate?"))
                    .id();
            System.out.println(headgate.explain(id));

            headgate.worker("default").slots(20).start();
            JobStatus ended = headgate.await(id, ofSeconds(10)).orElseThrow();
            System.out.println("job %s: %s".formatted(id, ended.state()));
        }
    }
    // docs:end
}
