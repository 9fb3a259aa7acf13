package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static dev.headgate.proof.contract.RecurrenceContract.MINUTE;
import static dev.headgate.proof.contract.RecurrenceContract.MINUTELY;
import static dev.headgate.proof.contract.RecurrenceContract.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobState;
import dev.headgate.proof.StoreFixture;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.spi.Backend;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Real threads of several processes over the same schedules: one job for each schedule and instant, none left out. */
public interface RecurrenceRaceContract extends StoreFixture {
    int RACERS = 6;
    int ROUNDS = 30;

    @Test
    default void howeverManyFireEachInstantHasOneJob() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Backend one = open(time);
                Backend two = reopen(time);
                JobStore jobs = new JobStore(one);
                ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
            List<ScheduleStore> stores = List.of(new ScheduleStore(one), new ScheduleStore(two));
            for (int i = 0; i < 3; i++) {
                stores.getFirst().put("s" + i, terms(MINUTELY, job("mail")));
            }
            CyclicBarrier barrier = new CyclicBarrier(RACERS, () -> time.advance(MINUTE));
            List<Future<Integer>> racers = new ArrayList<>();
            for (int racer = 0; racer < RACERS; racer++) {
                ScheduleStore store = stores.get(racer % 2);
                racers.add(threads.submit(() -> race(store, barrier)));
            }
            int fired = 0;
            for (Future<Integer> racer : racers) {
                fired += racer.get();
            }
            assertThat(fired).isEqualTo(3 * ROUNDS);
            assertThat(jobs.overview(1).jobs()).singleElement().satisfies(count -> {
                assertThat(count.state()).isEqualTo(JobState.QUEUED);
                assertThat(count.jobs()).isEqualTo(3 * ROUNDS);
            });
            for (int i = 0; i < 3; i++) {
                assertThat(stores.getFirst().runs("s" + i, 1_000).reversed())
                        .extracting(ScheduledRun::at)
                        .isEqualTo(Schedule.every(MINUTE).next(VirtualTime.START, ROUNDS));
            }
        }
    }

    /** All come at the same moment; what one leaves because another holds it must have been fired when all are through. */
    private static int race(ScheduleStore store, CyclicBarrier barrier) throws Exception {
        int fired = 0;
        for (int round = 0; round < ROUNDS; round++) {
            barrier.await();
            Duration left = store.left();
            while (left != null && left.isZero()) {
                fired += store.fire().runs();
                left = store.left();
            }
        }
        return fired;
    }

    @Test
    default void severalProgramsThatPutTheSameScheduleMakeOne() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Backend backend = open(time);
                ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
            ScheduleStore store = new ScheduleStore(backend);
            for (int round = 0; round < 10; round++) {
                String name = "s" + round;
                CyclicBarrier barrier = new CyclicBarrier(RACERS);
                List<Future<PutResult>> puts = new ArrayList<>();
                for (int racer = 0; racer < RACERS; racer++) {
                    puts.add(threads.submit(() -> {
                        barrier.await();
                        return store.put(name, terms(MINUTELY, job("mail")));
                    }));
                }
                int created = 0;
                for (Future<PutResult> put : puts) {
                    created += put.get() == PutResult.CREATED ? 1 : 0;
                }
                assertThat(created).isEqualTo(1);
            }
            assertThat(store.list()).hasSize(10);
        }
    }
}
