package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.event.Event;
import dev.headgate.handler.BatchOptions;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A grant that reaches its handler too late for its limits does not run, and costs nothing. */
class LateStartTest {
    /** Nothing gets from a grant to its handler in a microsecond. */
    private static final Margin TOO_SHORT = Margin.of(Duration.ofNanos(2_000));

    private static final Margin LONG = Margin.of(Duration.ofMinutes(30));

    private final Plant plant = new Plant();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<String> entered = new CopyOnWriteArrayList<>();
    private final CountDownLatch isLate = new CountDownLatch(4);

    @AfterEach
    void close() {
        plant.close();
    }

    private void gate(String name, Margin margin) {
        plant.headgate
                .policies()
                .replacing()
                .gate(name, g -> g.limit(window(1_000).per(Duration.ofHours(1)).margin(margin)));
    }

    private JobId enqueue(int number, String gate) {
        return plant.headgate
                .enqueue(WORK, new Order(number), job -> job.gate(gate).attempts(1))
                .id();
    }

    private void listen() {
        plant.headgate.listen(event -> {
            events.add(event);
            if (event instanceof Event.JobLate) {
                isLate.countDown();
            }
        });
    }

    /** The first start of a type has a longer margin; see FirstStartTest. */
    private void runFirst() throws InterruptedException {
        plant.ended(plant.enqueue());
        entered.clear();
    }

    private <E extends Event> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Test
    void aLateStartDoesNotRunAndComesBackUnspent() throws Exception {
        gate("api", TOO_SHORT);
        plant.headgate.handle(WORK, (order, job) -> entered.add(order.number() + " attempt " + job.attempt()));
        Worker worker = plant.work();
        runFirst();
        listen();
        JobId id = enqueue(7, "api");
        Plant.await(isLate);
        assertThat(entered).isEmpty();
        assertThat(told(Event.JobStarted.class)).isEmpty();
        gate("api", LONG);
        JobStatus ended = plant.ended(id);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().attempt()).isEqualTo(1);
        assertThat(ended.leases().lost()).isZero();
        assertThat(entered).containsExactly("7 attempt 1");
        assertThat(plant.headgate.attempts(id)).isEmpty();
        worker.stop();
        plant.headgate.close();
        assertThat(told(Event.JobStarted.class)).hasSize(1);
        assertThat(told(Event.JobEnded.class)).hasSize(1);
        assertThat(told(Event.JobLate.class)).allMatch(late -> late.lag().isPositive());
        assertThat(worker.lateStarts())
                .isEqualTo(told(Event.JobLate.class).size())
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void aWorkerThatKeepsMissingSaysSoAndGoesOnWithWhatHasNoMargin() throws Exception {
        gate("api", TOO_SHORT);
        CountDownLatch isBehind = new CountDownLatch(1);
        CountDownLatch isInTime = new CountDownLatch(1);
        plant.headgate.listen(event -> {
            if (event instanceof Event.WorkerPaced paced) {
                (paced.isBehind() ? isBehind : isInTime).countDown();
            }
        });
        plant.headgate.handle(WORK, (order, job) -> entered.add("" + order.number()));
        Worker worker = plant.headgate
                .worker("default")
                .slots(4)
                .drain(Duration.ZERO)
                .pollEvery(Duration.ofHours(1))
                .start();
        runFirst();
        List<JobId> late =
                IntStream.range(0, 10).mapToObj(i -> enqueue(i, "api")).toList();
        Plant.await(isBehind);
        long before = worker.lateStarts();
        for (int i = 100; i < 150; i++) {
            JobId plain = plant.headgate.enqueue(WORK, new Order(i)).id();
            JobId free = enqueue(i + 100, "free");
            assertThat(plant.ended(plain).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(plant.ended(free).state()).isEqualTo(JobState.SUCCEEDED);
        }
        assertThat(entered).hasSize(100);
        assertThat(worker.lateStarts() - before).as("it rests in between").isLessThan(40);
        gate("api", LONG);
        for (JobId id : late) {
            assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        }
        Plant.await(isInTime);
        Plant.awaitIdle(worker);
    }

    @Test
    void aJobWithoutAMarginIsNeverLate() throws Exception {
        gate("api", Margin.NONE);
        plant.headgate.handle(WORK, (order, job) -> entered.add("" + order.number()));
        JobId id = enqueue(1, "api");
        Worker worker = plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.lateStarts()).isZero();
    }

    @Test
    void lateMembersLeaveTheirBatchAndTheOthersGo() throws Exception {
        gate("short", TOO_SHORT);
        gate("long", LONG);
        plant.headgate.handleBatch(
                WORK,
                BatchOptions.upTo(2),
                members -> entered.add(members.stream()
                        .map(member -> member.payload().number())
                        .toList()
                        .toString()));
        listen();
        JobId late = enqueue(1, "short");
        JobId inTime = enqueue(2, "long");
        plant.headgate.worker("default").slots(2).drain(Duration.ZERO).start();
        assertThat(plant.ended(inTime).state()).isEqualTo(JobState.SUCCEEDED);
        Plant.await(isLate);
        assertThat(entered).containsExactly("[2]");
        gate("short", LONG);
        JobStatus ended = plant.ended(late);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().attempt()).isEqualTo(1);
        assertThat(entered).containsExactly("[2]", "[1]");
    }

    @Test
    void aBatchDoesNotWaitForCompanyUntilItIsLate() throws Exception {
        gate("api", Margin.of(Duration.ofSeconds(2)));
        plant.headgate.handleBatch(
                WORK, BatchOptions.upTo(2).linger(Duration.ofMinutes(1)), members -> entered.add("gone"));
        JobId id = enqueue(1, "api");
        plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(entered).containsExactly("gone");
    }

    @Test
    void aLeaseFoundAfterALostAnswerIsLateHoweverLongItsMargin() throws Exception {
        gate("api", LONG);
        plant.headgate.handle(WORK, (order, job) -> entered.add("epoch " + job.epoch() + " attempt " + job.attempt()));
        listen();
        JobId id = enqueue(1, "api");
        AtomicBoolean isLost = new AtomicBoolean();
        plant.backend.loseAnswers(() -> Thread.currentThread().getName().contains("claims")
                && plant.status(id).state() == JobState.RUNNING
                && isLost.compareAndSet(false, true));
        Worker worker = plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(isLost).isTrue();
        assertThat(entered).containsExactly("epoch 2 attempt 1");
        assertThat(worker.lateStarts()).isEqualTo(1);
    }
}
