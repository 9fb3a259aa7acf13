package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.job.JobType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One of two equal programs that play ball: each serves a queue of its own and throws what it catches into the queue of the
 * other, so often as the ball says. None looks for work by itself for an hour.
 */
public final class ReplicaMain {
    public static final JobType<Integer> BALL = JobType.of("ball", Integer.class);
    public static final String READY = "ready as process ";
    public static final String DOWN = "the ball is down";

    private ReplicaMain() {}

    /** The store, the queue that this one serves, and that of the other one. A number on standard input throws a ball. */
    public static void main(String[] arguments) throws IOException {
        String others = arguments[2];
        try (Headgate headgate = Headgate.open(arguments[0]);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            headgate.handle(BALL, (left, job) -> {
                if (left == 0) {
                    System.err.println(DOWN);
                } else {
                    headgate.enqueue(BALL, left - 1, next -> next.queue(others));
                }
            });
            headgate.worker(arguments[1]).pollEvery(Duration.ofHours(1)).start();
            System.err.println(READY + ProcessHandle.current().pid());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                headgate.enqueue(BALL, Integer.parseInt(line.strip()), ball -> ball.queue(others));
            }
        }
    }
}
