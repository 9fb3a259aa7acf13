package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of one process in front of a worker. */
class WorkerLimiterTest {
    private final Plant plant = new Plant();

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void whatTheLimiterWouldNotLetStartIsNotClaimed() throws Exception {
        CountDownLatch bothRun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        plant.headgate.handle(WORK, (order, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            bothRun.countDown();
            end.await();
            running.decrementAndGet();
        });
        List<Order> orders = IntStream.range(0, 30).mapToObj(Order::new).toList();
        plant.headgate.enqueueAll(WORK, orders);
        Worker worker = plant.headgate
                .worker("default")
                .slots(10)
                .pollEvery(Duration.ofHours(1))
                .limiter(Limiter.inProcess(concurrency(2)))
                .start();
        Plant.await(bothRun);
        assertThat(plant.headgate.overview().jobs())
                .filteredOn(count -> count.state() == JobState.RUNNING)
                .allMatch(count -> count.jobs() == 2);
        end.countDown();
        Plant.awaitIdle(worker);
        assertThat(plant.headgate.overview().jobs())
                .filteredOn(count -> count.state() == JobState.SUCCEEDED)
                .allMatch(count -> count.jobs() == 30);
        assertThat(most).hasValue(2);
    }

    @Test
    void itWakesWhenTheLimiterOpensByTimeOrByWhatOthersGiveBack() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        LocalLimiter limiter = Limiter.inProcess(delay(Duration.ofMillis(40)), concurrency(1));
        Permit elsewhere = (Permit) limiter.tryAcquire();
        Worker worker = plant.headgate
                .worker("default")
                .pollEvery(Duration.ofHours(1))
                .limiter(limiter)
                .start();
        JobId first = plant.enqueue();
        JobId second = plant.enqueue();
        Plant.awaitIdle(worker);
        assertThat(plant.status(first).state()).isEqualTo(JobState.QUEUED);
        elsewhere.close();
        assertThat(plant.ended(first).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.ended(second).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.status(second).leases().attempt()).isEqualTo(1);
    }

    /** Nothing else wakes the worker: no other job comes or ends, and its poll is far. */
    @ParameterizedTest
    @ValueSource(strings = {"concurrency 5", "window 10/1s", ""})
    void aJobThatShutTheLimiterStartsAgainWhenThatOpens(String limits) throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            if (job.epoch() == 1) {
                throw job.limiterPushedBack(Duration.ofMillis(50));
            }
        });
        plant.headgate
                .worker("default")
                .pollEvery(Duration.ofHours(1))
                .limiter(Limiter.inProcess(GatePolicy.parse(limits)))
                .start();
        JobId job = plant.enqueue();
        assertThat(plant.ended(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.status(job).leases().epoch()).isEqualTo(2);
    }

    /** Two places for two workers: what a limit of one's own denies is not claimed. */
    @Test
    void aLimitOfYourOwnHoldsForAllWorkersThatShareItsLimiter() throws Exception {
        AtomicInteger free = new AtomicInteger(2);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch bothRun = new CountDownLatch(2);
        LocalLimiter shared = Limiter.inProcess(new CustomLimit() {
            @Override
            public Answer tryTake(long cost) {
                if (free.get() == 0) {
                    return Denied.untilRelease("both seats are taken");
                }
                free.decrementAndGet();
                return Taken.place(free::incrementAndGet);
            }

            @Override
            public void clear() {
                free.set(2);
            }
        });
        plant.headgate.handle(WORK, (order, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            bothRun.countDown();
            bothRun.await();
            running.decrementAndGet();
        });
        plant.headgate.enqueueAll(
                WORK, IntStream.range(0, 40).mapToObj(Order::new).toList());
        Worker one = plant.headgate.worker("default").slots(5).limiter(shared).start();
        Worker two = plant.headgate.worker("default").slots(5).limiter(shared).start();
        Plant.awaitIdle(one);
        Plant.awaitIdle(two);
        assertThat(plant.headgate.overview().jobs())
                .filteredOn(count -> count.state() == JobState.SUCCEEDED)
                .allMatch(count -> count.jobs() == 40);
        assertThat(most).hasValue(2);
        assertThat(free).hasValue(2);
    }

    @Test
    void explainTellsWhatALimitOfYourOwnSays() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.headgate
                .worker("default")
                .lease(Duration.ofHours(1))
                .limiter(new CustomLimit() {
                    @Override
                    public Answer tryTake(long cost) {
                        return Denied.after(Duration.ofHours(3), "no seat before noon");
                    }

                    @Override
                    public void clear() {}
                })
                .start();
        JobId id = plant.enqueue();
        assertThat(whatKeeps(id)).contains("its own limiter lets nothing start: no seat before noon, opens at ");
    }

    @Test
    void explainTellsThatALimiterNeverOpens() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.headgate
                .worker("default")
                .lease(Duration.ofHours(1))
                .limiter(new CustomLimit() {
                    @Override
                    public Answer tryTake(long cost) {
                        return Denied.never("closed for good");
                    }

                    @Override
                    public void clear() {}
                })
                .start();
        assertThat(whatKeeps(plant.enqueue()))
                .contains("its own limiter lets nothing start: closed for good, never opens");
    }

    /** It used to say that there is no free slot. */
    @Test
    void explainTellsWhichLimiterKeepsAJobAndWhenItOpens() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.headgate
                .worker("default")
                .slots(10)
                .lease(Duration.ofHours(1))
                .limiter(Limiter.inProcess(window(1).per(Duration.ofHours(1))))
                .start();
        plant.ended(plant.enqueue());
        JobId second = plant.enqueue();
        assertThat(whatKeeps(second))
                .contains("has free slots, but its own limiter lets nothing start: 1 of 1")
                .contains("(window 1/1h), opens at ");
        assertThat(plant.headgate.explain(second).times().earliest())
                .isAfter(plant.headgate.overview().at().plus(Duration.ofMinutes(50)));
    }

    /** It was told only once no job was at work, or with the next heartbeat. */
    @Test
    void explainTellsOfTheLimiterWhileAJobRunsThatHasItsPlace() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            begun.countDown();
            end.await();
        });
        plant.headgate
                .worker("default")
                .slots(4)
                .lease(Duration.ofHours(1))
                .limiter(Limiter.inProcess(concurrency(1)))
                .start();
        JobId first = plant.enqueue();
        Plant.await(begun);
        JobId second = plant.enqueue();
        assertThat(whatKeeps(second)).contains("has free slots, but its own limiter lets nothing start");
        end.countDown();
        assertThat(plant.ended(first).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.ended(second).state()).isEqualTo(JobState.SUCCEEDED);
    }

    private String whatKeeps(JobId job) throws InterruptedException {
        String said = "";
        for (int looks = 0; looks < 200 && !said.contains("limiter"); looks++) {
            assertThat(plant.headgate.await(job, Duration.ofMillis(50))).isEmpty();
            said = plant.headgate.explain(job).summary();
        }
        return said;
    }

    @Test
    void aGateOfTheStoreLimitsCodeThatIsNoJob() throws Exception {
        plant.headgate.policies().gate("api", g -> g.limit(concurrency(1)));
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.work();
        Permit permit = (Permit) plant.headgate.limiter("api").tryAcquire();
        JobId id = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.gate("api"))
                .id();
        assertThat(plant.headgate.await(id, Duration.ofMillis(50))).isEmpty();
        permit.close();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
