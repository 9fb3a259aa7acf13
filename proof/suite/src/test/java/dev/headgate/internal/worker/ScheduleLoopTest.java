package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers fire schedules by themselves, in real time. */
class ScheduleLoopTest {
    private static final Schedule SECONDLY =
            Schedule.every(Duration.ofSeconds(1)).missed(Missed.ALL);

    private final Plant plant = new Plant();
    private final LinkedBlockingQueue<Instant> ran = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        plant.close();
    }

    private void handle(Plant where) {
        where.headgate.handle(WORK, (order, job) -> ran.add(job.scheduledFor().orElseThrow()));
    }

    private Instant next() throws InterruptedException {
        return Optional.ofNullable(ran.poll(Plant.SOON.toSeconds(), TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("no run in time"));
    }

    @Test
    void aScheduleThatIsPutWhileAWorkerSleepsIsFiredAndTheHandlerLearnsForWhen() throws Exception {
        handle(plant);
        Plant.awaitIdle(plant.work());
        plant.headgate.schedules().put("s", SECONDLY, WORK, new Order(1));
        List<Instant> three = List.of(next(), next(), next());
        assertThat(three).isEqualTo(SECONDLY.next(three.getFirst().minusMillis(1), 3));
    }

    @Test
    void severalWorkersFireEachInstantOnce() throws Exception {
        plant.headgate.schedules().put("s", SECONDLY, WORK, new Order(1));
        handle(plant);
        try (Plant other = plant.reopen()) {
            handle(other);
            plant.work();
            plant.work();
            other.work();
            List<Instant> three = List.of(next(), next(), next());
            assertThat(three).isEqualTo(SECONDLY.next(three.getFirst().minusMillis(1), 3));
            plant.headgate.schedules().pause("s");
        }
        List<ScheduledRun> runs = plant.headgate.schedules().runs("s", 100);
        assertThat(plant.headgate.overview().jobs().stream()
                        .mapToLong(count -> count.jobs())
                        .sum())
                .isEqualTo(runs.size());
    }

    @Test
    void aWorkerWithoutAFreeSlotStillFires() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        JobType<Order> slow = JobType.of("slow", Order.class);
        plant.headgate.handle(slow, (order, job) -> {
            taken.countDown();
            open.await();
        });
        plant.headgate.enqueue(slow, new Order(1));
        plant.headgate.worker("default").slots(1).drain(Duration.ZERO).start();
        Plant.await(taken);
        handle(plant);
        CountDownLatch fired = new CountDownLatch(1);
        try (var subscription = plant.memory.listen(wake -> {
            if (wake instanceof Wake.Queue) {
                fired.countDown();
            }
        })) {
            plant.headgate.schedules().put("s", Schedule.once(Instant.EPOCH), WORK, new Order(2));
            Plant.await(fired);
        }
        assertThat(plant.headgate.schedules().runs("s", 1)).hasSize(1);
        open.countDown();
        assertThat(next()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void oneWhoWaitsForIdlenessWaitsForWhatIsDue() throws Exception {
        plant.headgate.schedules().put("s", Schedule.once(Instant.EPOCH), WORK, new Order(1));
        handle(plant);
        plant.backend.cutOff("clockwork");
        Worker worker = plant.work();
        Plant.awaitIdle(worker);
        assertThat(ran).containsExactly(Instant.EPOCH);
    }

    @Test
    void aStoreThatWasAwayIsCaughtUpWith() throws Exception {
        handle(plant);
        Plant.awaitIdle(plant.work());
        plant.backend.cutOffAll();
        try (Plant other = plant.reopen()) {
            other.headgate.schedules().put("s", SECONDLY, WORK, new Order(1));
        }
        plant.backend.heal();
        assertThat(next()).isNotNull();
    }

    @Test
    void aJobWithoutAScheduleIsForNoInstant() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            if (job.scheduledFor().isEmpty()) {
                done.countDown();
            }
        });
        plant.work();
        plant.enqueue();
        Plant.await(done);
    }
}
