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
import dev.headgate.job.JobType;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first call of a process takes long: the first start of a type goes alone, with a margin of a second or more. */
class FirstStartTest {
    private static final JobType<Order> OTHER = JobType.of("other", Order.class);

    private final Plant plant = new Plant();
    private final List<Integer> entered = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    @AfterEach
    void close() {
        mayEnd.release(1_000);
        plant.close();
    }

    private void gate(Margin margin) {
        plant.headgate
                .policies()
                .replacing()
                .gate(
                        "api-*",
                        gate -> gate.limit(
                                window(1_000).per(Duration.ofHours(1)).margin(margin)));
    }

    private List<JobId> enqueue(JobType<Order> type, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> plant.headgate
                        .enqueue(type, new Order(i), job -> job.gate("api-" + type.name()))
                        .id())
                .toList();
    }

    private Worker work() {
        return plant.headgate
                .worker("default")
                .slots(20)
                .pollEvery(Duration.ofHours(1))
                .drain(Duration.ZERO)
                .start();
    }

    @Test
    void theFirstStartOfATypeGoesAloneAndTheOthersFollowItsEnd() throws Exception {
        gate(Margin.of(Duration.ofMinutes(1)));
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch all = new CountDownLatch(10);
        plant.headgate.handle(WORK, (order, job) -> {
            entered.add(order.number());
            both.countDown();
            all.countDown();
            mayEnd.acquire();
        });
        plant.headgate.handle(OTHER, (order, job) -> {
            both.countDown();
            mayEnd.acquire();
        });
        List<JobId> jobs = enqueue(WORK, 0, 10);
        enqueue(OTHER, 10, 20);
        work();
        Plant.await(both); // one of each type
        assertThat(entered).containsExactly(0);
        mayEnd.release(2);
        plant.ended(jobs.getFirst());
        Plant.await(all);
        assertThat(entered).hasSize(10);
    }

    @Test
    void oneThatRunsForLongKeepsTheOthersBackForASecondOnly() throws Exception {
        gate(Margin.of(Duration.ofMinutes(1)));
        CountDownLatch all = new CountDownLatch(10);
        plant.headgate.handle(WORK, (order, job) -> {
            all.countDown();
            mayEnd.acquire();
        });
        enqueue(WORK, 0, 10);
        work();
        Plant.await(all);
    }

    @Test
    void itIsNotLateForAShortMargin() throws Exception {
        // Nothing gets from a grant to its handler in a microsecond.
        gate(Margin.of(Duration.ofNanos(2_000)));
        CountDownLatch late = new CountDownLatch(1);
        plant.headgate.listen(event -> {
            if (event instanceof Event.JobLate) {
                late.countDown();
            }
        });
        plant.headgate.handle(WORK, (order, job) -> entered.add(order.number()));
        List<JobId> jobs = enqueue(WORK, 0, 2);
        work();
        assertThat(plant.ended(jobs.getFirst()).state()).isEqualTo(JobState.SUCCEEDED);
        Plant.await(late);
        assertThat(entered).containsExactly(0);
    }

    @Test
    void aTypeThatRanWithoutAMarginIsKnown() throws Exception {
        gate(Margin.of(Duration.ofMinutes(1)));
        CountDownLatch all = new CountDownLatch(10);
        plant.headgate.handle(WORK, (order, job) -> {
            if (order.number() > 1) {
                all.countDown();
                all.await(); // together or not at all
            }
        });
        work();
        plant.ended(plant.enqueue());
        enqueue(WORK, 2, 12).forEach(id -> assertThat(id).isNotNull());
        Plant.await(all);
    }

    @Test
    void theMembersOfABatchStartTogether() throws Exception {
        gate(Margin.of(Duration.ofMinutes(1)));
        CountDownLatch whole = new CountDownLatch(1);
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(5).linger(Duration.ofMinutes(1)), members -> {
            if (members.size() == 5) {
                whole.countDown();
            }
        });
        plant.headgate.enqueueAll(
                WORK, IntStream.range(0, 5).mapToObj(Order::new).toList(), (order, job) -> job.gate("api-x"));
        work();
        Plant.await(whole);
    }
}
