package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.concurrency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that run together, and are jobs of their own all the same. */
class BatchTest {
    private static final HandlerOptions ONCE = HandlerOptions.DEFAULT.attempts(1);
    private static final Duration BEFORE_LINGER_ENDS = Duration.ofSeconds(30);

    private final Plant plant = new Plant();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        plant.close();
    }

    private List<JobId> enqueue(int jobs) {
        return plant
                .headgate
                .enqueueAll(WORK, IntStream.range(0, jobs).mapToObj(Order::new).toList())
                .stream()
                .map(enqueued -> enqueued.id())
                .toList();
    }

    private void note(List<BatchMember<Order>> members) {
        sizes.add(members.size());
    }

    private Worker work(int slots) {
        return plant.headgate
                .worker("default")
                .slots(slots)
                .drain(Duration.ZERO)
                .start();
    }

    @Test
    void whatWasClaimedTogetherGoesTogetherAndAtOnce() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(4), this::note);
        List<JobId> jobs = enqueue(10);
        Plant.awaitIdle(work(10));
        for (JobId job : jobs) {
            assertThat(plant.status(job).state()).isEqualTo(JobState.SUCCEEDED);
        }
        assertThat(sizes).containsExactlyInAnyOrder(4, 4, 2);
    }

    /** While a worker runs, that of number 9 is read last. */
    record Page(int number) {
        static final CountDownLatch OTHERS = new CountDownLatch(9);
        static volatile boolean isRead;

        Page {
            if (isRead && number < 9) {
                OTHERS.countDown();
            } else if (isRead) {
                try {
                    OTHERS.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void membersStandInTheOrderOfTheirPrioritiesWhicheverComesLast() throws Exception {
        JobType<Page> print = JobType.of("print", Page.class);
        List<Integer> order = new CopyOnWriteArrayList<>();
        plant.headgate.handleBatch(
                print,
                BatchOptions.upTo(10),
                members -> members.forEach(member -> order.add(member.payload().number())));
        plant.headgate.enqueueAll(
                print, IntStream.range(0, 10).mapToObj(Page::new).toList(), (page, job) -> job.priority(page.number()));
        Page.isRead = true;
        Plant.awaitIdle(work(10));
        assertThat(order).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    }

    @Test
    void eachMemberHasItsOwnResultAndItsOwnFailure() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(3), members -> {
            for (BatchMember<Order> member : members) {
                if (member.payload().number() == 1) {
                    member.fail(new PermanentFailure("one is bad"));
                } else {
                    member.succeed(member.payload().number() * 10);
                }
            }
        });
        List<JobId> jobs = enqueue(3);
        Plant.awaitIdle(work(3));
        assertThat(plant.headgate.result(jobs.get(0), Integer.class)).contains(0);
        assertThat(plant.headgate.result(jobs.get(2), Integer.class)).contains(20);
        assertThat(plant.status(jobs.get(1)).state()).isEqualTo(JobState.FAILED);
        assertThat(plant.status(jobs.get(1)).report().detail()).contains("one is bad");
    }

    @Test
    void whatItThrowsIsTheFailureOfThoseThatWereToldNothing() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(2).each(ONCE), members -> {
            members.getFirst().succeed("done before");
            throw new IllegalStateException("the rest is lost");
        });
        List<JobId> jobs = enqueue(2);
        Plant.awaitIdle(work(2));
        assertThat(jobs.stream().map(job -> plant.status(job).state()))
                .containsExactlyInAnyOrder(JobState.SUCCEEDED, JobState.FAILED);
    }

    @Test
    void aCancelledMemberKeepsItsPlaceUntilItsBatchIsDoneWithIt() throws Exception {
        CountDownLatch hasBegun = new CountDownLatch(1);
        CountDownLatch isSeen = new CountDownLatch(1);
        CountDownLatch isLetGo = new CountDownLatch(1);
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(2), members -> {
            hasBegun.countDown();
            while (members.stream().noneMatch(member -> member.job().isCancelled())) {
                Thread.onSpinWait();
            }
            isSeen.countDown();
            Plant.await(isLetGo);
            for (BatchMember<Order> member : members) {
                if (member.job().isCancelled()) {
                    member.fail(new InterruptedException("was asked to stop"));
                }
            }
        });
        List<JobId> jobs = enqueue(2);
        Worker worker = work(2);
        Plant.await(hasBegun);
        plant.headgate.cancel(jobs.getFirst());
        Plant.await(isSeen);
        assertThat(plant.status(jobs.getFirst()).state())
                .as("its work goes on, so it holds what it holds")
                .isEqualTo(JobState.RUNNING);
        isLetGo.countDown();
        assertThat(plant.ended(jobs.getFirst()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(plant.ended(jobs.getLast()).state()).isEqualTo(JobState.SUCCEEDED);
        Plant.awaitIdle(worker);
    }

    @Test
    void aBatchIsInterruptedWhenAllThatWaitShouldStop() throws Exception {
        CountDownLatch hasBegun = new CountDownLatch(1);
        CountDownLatch isInterrupted = new CountDownLatch(1);
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(3), members -> {
            members.stream().filter(member -> member.payload().number() == 2).forEach(BatchMember::succeed);
            hasBegun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                isInterrupted.countDown();
                throw stopped;
            }
        });
        List<JobId> jobs = enqueue(3);
        work(3);
        Plant.await(hasBegun);
        jobs.subList(0, 2).forEach(plant.headgate::cancel);
        Plant.await(isInterrupted);
        assertThat(plant.ended(jobs.get(0)).state()).isEqualTo(JobState.CANCELLED);
        assertThat(plant.ended(jobs.get(1)).state()).isEqualTo(JobState.CANCELLED);
        assertThat(plant.ended(jobs.get(2)).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void theFirstWaitsForOthersAsLongAsItWasTold() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(2).linger(Duration.ofSeconds(50)), this::note);
        Worker worker = work(5);
        JobId first = plant.enqueue();
        while (worker.busy() == 0) {
            Thread.onSpinWait(); // it is claimed, and waits for company
        }
        JobId second = plant.enqueue();
        assertThat(plant.ended(first).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.ended(second).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(sizes).as("claimed one after the other, run together").containsExactly(2);
        Plant.awaitIdle(worker);
    }

    @Test
    void aPartialBatchGoesWhenTheLingerIsOver() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(100).linger(Duration.ofMillis(5)), this::note);
        JobId only = plant.enqueue();
        work(5);
        assertThat(plant.ended(only).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(sizes).containsExactly(1);
    }

    @Test
    void aMembersTimeoutBeginsWhenItsBatchGoes() throws Exception {
        HandlerOptions brief = ONCE.timeout(Duration.ofMillis(100));
        BatchOptions options = BatchOptions.upTo(5).linger(Duration.ofMillis(400));
        plant.headgate.handleBatch(WORK, options.each(brief), this::note);
        JobId only = plant.enqueue();
        work(5);
        assertThat(plant.ended(only).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(sizes).containsExactly(1);
    }

    @Test
    void aBatchThatTakesLongerThanItsMembersMayIsInterrupted() throws Exception {
        HandlerOptions brief = ONCE.timeout(Duration.ofMillis(20));
        plant.headgate.handleBatch(
                WORK, BatchOptions.upTo(5).linger(Duration.ofMillis(40)).each(brief), members -> {
                    new CountDownLatch(1).await();
                });
        JobId only = plant.enqueue();
        work(5);
        assertThat(plant.ended(only).state()).isEqualTo(JobState.FAILED);
        assertThat(plant.status(only).report().detail()).contains("timed out after 20ms");
    }

    @Test
    void aBatchThatHasAllSlotsGoesAtOnce() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(10).linger(Duration.ofSeconds(50)), this::note);
        List<JobId> jobs = enqueue(2);
        work(2);
        for (JobId job : jobs) {
            assertThat(plant.headgate.await(job, BEFORE_LINGER_ENDS)).isPresent();
        }
        assertThat(sizes).containsExactly(2);
    }

    @Test
    void aBatchWhoseGateIsFullGoesAtOnce() throws Exception {
        plant.headgate.policies().gate("api", g -> g.limit(concurrency(2)));
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(10).linger(Duration.ofSeconds(50)), this::note);
        List<JobId> jobs = plant
                .headgate
                .enqueueAll(WORK, IntStream.range(0, 2).mapToObj(Order::new).toList(), (order, job) -> job.gate("api"))
                .stream()
                .map(enqueued -> enqueued.id())
                .toList();
        work(5);
        for (JobId job : jobs) {
            assertThat(plant.headgate.await(job, BEFORE_LINGER_ENDS)).isPresent();
        }
        assertThat(sizes).containsExactly(2);
    }

    @Test
    void byLaneOnlyJobsOfTheSameGatesGoTogether() throws Exception {
        List<List<Integer>> batches = new CopyOnWriteArrayList<>();
        plant.headgate.handleBatch(
                WORK,
                BatchOptions.upTo(10).byLane(),
                members -> batches.add(members.stream()
                        .map(m -> m.payload().number() % 2)
                        .distinct()
                        .toList()));
        plant.headgate.enqueueAll(
                WORK,
                IntStream.range(0, 10).mapToObj(Order::new).toList(),
                (order, job) -> job.gate("tenant:" + order.number() % 2));
        Plant.awaitIdle(work(10));
        assertThat(batches).allMatch(kinds -> kinds.size() == 1);
    }

    @Test
    void membersPassTheirGatesOneByOne() throws Exception {
        plant.headgate.policies().gate("api", g -> g.limit(concurrency(3)));
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(10), this::note);
        plant.headgate.enqueueAll(
                WORK, IntStream.range(0, 9).mapToObj(Order::new).toList(), (order, job) -> job.gate("api"));
        Plant.awaitIdle(work(10));
        assertThat(sizes).allMatch(size -> size <= 3);
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(9);
    }

    @Test
    void aMemberWithAnUnreadablePayloadKeepsNobodyWaiting() throws Exception {
        plant.headgate.handleBatch(WORK, BatchOptions.upTo(10), this::note);
        JobId good = plant.enqueue();
        JobId bad =
                plant.headgate.enqueueJson("work", "\"no order\"", job -> {}).id();
        work(10);
        assertThat(plant.ended(good).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.status(bad).state()).isIn(JobState.RUNNING, JobState.PARKED);
    }

    @Test
    void impossibleOptionsAreRefused() {
        assertThatThrownBy(() -> BatchOptions.upTo(0)).hasMessage("batch: expected up to 1 to 10000 members, got 0");
        assertThatThrownBy(() -> BatchOptions.upTo(2).linger(Duration.ofMillis(-1)))
                .hasMessage("batch: expected a linger of zero to 1m, got PT-0.001S");
    }
}
