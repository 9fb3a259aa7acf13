package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.concurrency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.event.Event;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.limit.Serve;
import dev.headgate.resource.PoolBounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker whose slots come and go. The rule itself is tested in virtual time; here it meets the engine. */
class SlotPoolTest {
    private static final PoolBounds QUICK =
            PoolBounds.between(1, 6).every(Duration.ofMillis(20)).idleGrace(Duration.ofMillis(100));

    private final Plant plant = new Plant();
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayEnd.countDown();
        plant.close();
    }

    private static List<Order> orders(int count) {
        return IntStream.range(0, count).mapToObj(Order::new).toList();
    }

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Plant.SOON);
            Thread.onSpinWait();
        }
    }

    @Test
    void itGrowsWhileJobsCouldStartAndShrinksWhenTheyHaveEnded() throws Exception {
        CountDownLatch allAtOnce = new CountDownLatch(6);
        ConcurrentLinkedQueue<Event.PoolResized> resizes = new ConcurrentLinkedQueue<>();
        plant.headgate.listen(event -> {
            if (event instanceof Event.PoolResized resized) {
                resizes.add(resized);
            }
        });
        plant.headgate.handle(WORK, (order, job) -> {
            allAtOnce.countDown();
            mayEnd.await();
        });
        Worker worker = plant.headgate.worker("default").slots(QUICK).start();
        assertThat(worker.slots()).isEqualTo(1);
        plant.headgate.enqueueAll(WORK, orders(9));
        Plant.await(allAtOnce);
        assertThat(worker.slots()).isEqualTo(6);
        assertThat(worker.busy()).isLessThanOrEqualTo(6);
        await(() -> slotsInStore() == 6);
        mayEnd.countDown();
        Plant.awaitIdle(worker);
        await(() -> worker.slots() == 1 && resizes.stream().anyMatch(each -> each.to() == 1));
        await(() -> slotsInStore() == 1);
        Event.PoolResized first = resizes.element();
        assertThat(first.worker()).isEqualTo(worker.id());
        assertThat(first.from()).isEqualTo(1);
        assertThat(first.to()).isBetween(2, 3);
        assertThat(first.reason()).startsWith("1 at work and ").endsWith(" more could start");
    }

    private int slotsInStore() {
        return plant.headgate.overview().workers().getFirst().slots();
    }

    @Test
    void itDoesNotGrowForWhatAGateHoldsBack() throws Exception {
        plant.headgate.policies().gate("api", g -> g.limit(concurrency(1)));
        AtomicInteger most = new AtomicInteger();
        ConcurrentLinkedQueue<Worker> workers = new ConcurrentLinkedQueue<>();
        plant.headgate.handle(WORK, (order, job) -> {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 3_000_000) {
                Thread.onSpinWait();
            }
            workers.forEach(worker -> most.accumulateAndGet(worker.slots(), Math::max));
        });
        plant.headgate.enqueueAll(WORK, orders(100), (order, job) -> job.gate("api"));
        Worker worker = plant.headgate.worker("default").slots(QUICK).start();
        workers.add(worker);
        Plant.awaitIdle(worker);
        assertThat(most).hasValue(1);
    }

    @Test
    void aStoreThatIsAwayLeavesItAsItIs() throws Exception {
        CountDownLatch allAtOnce = new CountDownLatch(6);
        CountDownLatch hasAskedTwice = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            allAtOnce.countDown();
            mayEnd.await();
        });
        plant.backend.cutOff("headgate-pool");
        plant.backend.onRefused(2, hasAskedTwice::countDown);
        Worker worker = plant.headgate.worker("default").slots(QUICK).start();
        plant.headgate.enqueueAll(WORK, orders(9));
        Plant.await(hasAskedTwice);
        assertThat(worker.slots()).isEqualTo(1);
        plant.backend.heal();
        Plant.await(allAtOnce);
        assertThat(worker.slots()).isEqualTo(6);
    }

    @Test
    void aPoolWithAFreeSlotAsksTheStoreNothing() throws Exception {
        CountDownLatch hasAsked = new CountDownLatch(1);
        plant.backend.cutOff("headgate-pool");
        plant.backend.onRefused(1, hasAsked::countDown);
        plant.headgate.handle(WORK, (order, job) -> {});
        Worker worker = plant.headgate
                .worker("default")
                .slots(PoolBounds.between(2, 64).every(Duration.ofMillis(10)))
                .start();
        for (int each = 0; each < 100; each++) {
            plant.ended(plant.enqueue());
        }
        assertThat(hasAsked.getCount()).isEqualTo(1);
        assertThat(worker.slots()).isEqualTo(2);
    }

    @Test
    void faultsAreReportedTogether() {
        assertThatThrownBy(() -> plant.headgate
                        .worker("a", "b")
                        .slots(7, 3)
                        .serving(Serve.weighted(Map.of("a", 0, "c", 1)))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "slots: expected the least to be no more than the most, got 7 to 3",
                        "none for 'b'",
                        "1 to 1000, got 0 for 'a'",
                        "one for 'c'");
        assertThatThrownBy(() -> plant.headgate.worker("a").slots(0, 0).start())
                .hasMessage("worker: slots: expected 1 to 100000, got 0");
    }

    @Test
    void aStrictWorkerEmptiesTheFirstQueueFirst() throws Exception {
        ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
        plant.headgate.handle(WORK, (order, job) -> ran.add(job.queue()));
        plant.headgate.enqueueAll(WORK, orders(50), (order, job) -> job.queue("bulk"));
        plant.headgate.enqueueAll(WORK, orders(50), (order, job) -> job.queue("urgent"));
        Worker worker = plant.headgate
                .worker("urgent", "bulk")
                .slots(1)
                .serving(Serve.STRICT)
                .start();
        Plant.awaitIdle(worker);
        assertThat(List.copyOf(ran).subList(0, 50)).containsOnly("urgent");
        assertThat(ran).hasSize(100);
    }
}
