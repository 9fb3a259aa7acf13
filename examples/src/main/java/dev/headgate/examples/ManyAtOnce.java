package dev.headgate.examples;

import static java.time.Duration.ofMillis;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.event.Event;
import dev.headgate.handler.Around;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.job.JobType;
import dev.headgate.job.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** A hundred texts, ten in one call; code around every handler; and a listener that counts. */
public final class ManyAtOnce {
    private ManyAtOnce() {}

    record Text(String words) {}

    static final JobType<Text> EMBED = JobType.of("embed", Text.class);

    public static void main(String[] args) throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        LongAdder micros = new LongAdder();
        AtomicInteger succeeded = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:batches.db")) {
            // docs:begin batch
            headgate.handleBatch(EMBED, BatchOptions.upTo(10).linger(ofMillis(20)), members -> {
                calls.incrementAndGet();
                List<Integer> lengths =
                        embed(members.stream().map(BatchMember::payload).toList());
                for (int i = 0; i < members.size(); i++) {
                    if (lengths.get(i) == 0) {
                        members.get(i).fail(new PermanentFailure("an empty text has no meaning"));
                    } else {
                        members.get(i).succeed(lengths.get(i));
                    }
                }
            });
            // docs:end
            // docs:begin around
            headgate.around(Around.loggingContext());
            headgate.around(Around.timing((job, time) -> micros.add(time.toNanos() / 1_000)));
            headgate.around((job, next) -> {
                job.log("attempt %d begins".formatted(job.attempt()));
                return next.run();
            });
            // docs:end
            // docs:begin listen
            headgate.listen(event -> {
                if (event instanceof Event.JobEnded(var worker, var attempt, Outcome outcome)) {
                    (outcome instanceof Outcome.Succeeded ? succeeded : failed).incrementAndGet();
                }
            });
            // docs:end
            headgate.enqueueAll(
                    EMBED,
                    IntStream.range(0, 100)
                            .mapToObj(i -> new Text("x".repeat(i)))
                            .toList());
            Worker worker = headgate.worker("default").slots(20).start();
            worker.awaitIdle(Duration.ofMinutes(1));
        }
        System.out.printf(
                "%d succeeded, %d failed, in fewer calls: %s%n",
                succeeded.get(), failed.get(), calls.get() < 100 && micros.sum() > 0);
    }

    private static List<Integer> embed(List<Text> texts) {
        return texts.stream().map(text -> text.words().length()).toList();
    }
}
