package dev.headgate.examples;

import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;

/** What a job carries besides its payload: labels to find it by, and headers that are handed on. */
public final class LabelsAndHeaders {
    private LabelsAndHeaders() {}

    record Letter(String tenant, String text) {}

    record Stamp(String text) {}

    // docs:begin label-type
    static final JobType<Letter> SEND =
            JobType.of("send", Letter.class).label("team", "mail").label("tenant", Letter::tenant);
    // docs:end

    static final JobType<Stamp> STAMP = JobType.of("stamp", Stamp.class);

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:letters.db")) {
            handle(headgate);
            String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            // docs:begin label-enqueue
            JobId id = headgate.enqueue(
                            SEND,
                            new Letter("acme", "hello"),
                            job -> job.label("campaign", "spring").header("traceparent", traceparent))
                    .id();
            // docs:end
            headgate.worker("default").start();
            System.out.println(headgate.await(id, ofSeconds(10)).orElseThrow().state());
            // docs:begin label-search
            JobFilter spring = JobFilter.all().label("team", "mail").label("campaign", "spring");
            headgate.list(spring).forEach(job -> System.out.println(job.id() + " " + job.labels()));
            // docs:end
        }
    }

    private static void handle(Headgate headgate) {
        // docs:begin label-handler
        headgate.handle(SEND, (letter, job) -> {
            System.out.println("trace " + job.headers().get("traceparent"));
            headgate.enqueue(
                    STAMP,
                    new Stamp(letter.text()),
                    next -> next.labels(job.labels()).headers(job.headers()));
        });
        // docs:end
        headgate.handle(STAMP, (stamp, job) -> {});
    }
}
