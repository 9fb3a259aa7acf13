package dev.headgate.examples;

import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.job.JobType;

/** A process that only works: serves its queues until it is told to stop, and stops in good order. */
public final class ServeUntilStopped {
    private ServeUntilStopped() {}

    record Greeting(String name) {}

    static final JobType<Greeting> GREET = JobType.of("greet", Greeting.class);

    public static void main(String[] args) throws InterruptedException {
        String url = args.length > 0 ? args[0] : "jdbc:sqlite:greetings.db";
        // docs:begin serve
        Headgate headgate = Headgate.open(url);
        headgate.handle(GREET, (greeting, job) -> System.out.println("hello " + greeting.name()));
        headgate.worker("default", "urgent")
                .name("greeter")
                .slots(20)
                .lease(ofSeconds(30))
                .drain(ofSeconds(10))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(headgate::close));
        Thread.currentThread().join(); // all threads of a worker are daemons: one thread must stay
        // docs:end
    }
}
