package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigureSeries;
import dev.headgate.job.JobType;
import dev.headgate.limit.Serve;
import dev.headgate.resource.PoolBounds;
import dev.headgate.status.QueueBacklog;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A worker whose slots follow what there is to do, several queues in proportion, and the figures to scale by. */
public final class FollowTheLoad {
    static final JobType<Mail> MAIL = JobType.of("mail", Mail.class);

    private FollowTheLoad() {}

    record Mail(int number) {}

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:load.db")) {
            headgate.policies().gate("relay", gate -> gate.limit(concurrency(2)));
            headgate.handle(MAIL, (mail, job) -> {});
            List<Mail> mails = IntStream.range(0, 10).mapToObj(Mail::new).toList();
            headgate.enqueueAll(MAIL, mails, (mail, job) -> job.queue("mail"));
            headgate.enqueueAll(MAIL, mails, (mail, job) -> job.queue("reports").gate("relay"));
            look(headgate);
            Worker worker = proportional(headgate);
            worker.awaitIdle(ofMinutes(1));
            worker.stop();
            patient(headgate).stop();
            lookBack(headgate);
            System.out.println("left: " + headgate.demand().admissible(100, "mail", "reports"));
        }
    }

    private static void look(Headgate headgate) {
        // docs:begin demand
        for (QueueBacklog queue : headgate.demand().byQueue(1_000, "mail", "reports")) {
            System.out.println(
                    "%s: %d could start, %d blocked".formatted(queue.queue(), queue.admissible(), queue.blocked()));
        }
        // docs:end
    }

    private static void lookBack(Headgate headgate) {
        // docs:begin figures
        FigureFilter lastHour = FigureFilter.last(ofHours(1)).step(ofMinutes(1)).gate("tenant:*");
        for (FigureSeries series : headgate.figures().read(lastHour).series()) {
            for (FigurePoint minute : series.points()) {
                System.out.println("%s %s: %d started, %d in use, 95 of 100 waited %s at most"
                        .formatted(
                                series.name(),
                                minute.at(),
                                minute.counts().started(),
                                minute.inUse(),
                                minute.waited().percentile(95)));
            }
        }
        // docs:end
    }

    private static Worker proportional(Headgate headgate) {
        // docs:begin adaptive-slots
        Worker worker = headgate.worker("mail", "reports")
                .slots(2, 64)
                .serving(Serve.weighted(Map.of("mail", 3, "reports", 1)))
                .start();
        System.out.println("begins with %d slots".formatted(worker.slots()));
        // docs:end
        return worker;
    }

    private static Worker patient(Headgate headgate) {
        // docs:begin pool-bounds
        PoolBounds patient =
                PoolBounds.between(2, 64).step(8).every(ofSeconds(2)).idleGrace(ofMinutes(10));
        Worker worker = headgate.worker("mail").slots(patient).start();
        // docs:end
        return worker;
    }
}
