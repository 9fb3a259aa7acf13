package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.WallClock;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Real threads: jobs are tied to others that end at that very moment, and two dependencies of one end at once. */
public interface DependencyRaceContract extends StoreFixture {
    int ROUNDS = 60;

    @Test
    default void whateverTheMomentOfAnEndNoJobWaitsForWhatHasEnded() throws Exception {
        try (Backend backend = open(WallClock::micros);
                JobStore store = new JobStore(backend);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            register(store, "left");
            register(store, "right");
            for (int round = 0; round < ROUNDS; round++) {
                JobRow one = start(store, "left");
                JobRow two = start(store, "right");
                JobId[] both = {JobId.of(one.id()), JobId.of(two.id())};
                CyclicBarrier barrier = new CyclicBarrier(4);
                List<Future<List<Long>>> done = new ArrayList<>();
                done.add(threads.submit(after(barrier, () -> finish(store, "left", one))));
                done.add(threads.submit(after(barrier, () -> finish(store, "right", two))));
                done.add(threads.submit(after(barrier, () -> tie(store, both))));
                done.add(threads.submit(after(barrier, () -> tie(store, both))));
                for (long waiting : all(done)) {
                    assertThat(store.find(JobId.of(waiting)))
                            .as("round %d", round)
                            .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.QUEUED));
                    store.cancel(JobId.of(waiting));
                }
            }
        }
    }

    private static void register(JobStore store, String worker) {
        store.register(
                new WorkerRow(worker, worker, List.of(worker), 1, 0, 0, List.of()), Duration.ofMinutes(10), List.of());
    }

    private static JobRow start(JobStore store, String worker) {
        store.enqueue(List.of(job(worker).gate("shared").build()));
        return store.turnaround(new TurnRequest(worker, List.of(worker), 1, List.of()))
                .started()
                .getFirst();
    }

    private static List<Long> finish(JobStore store, String worker, JobRow lease) {
        store.turnaround(new TurnRequest(
                worker, List.of(worker), 0, List.of(new EndedLease(lease, new Outcome.Succeeded(null)))));
        return List.of();
    }

    /** Several, so that some are tied before the end and some after it. */
    private static List<Long> tie(JobStore store, JobId[] both) {
        List<Long> tied = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tied.add(store.enqueue(List.of(job("q").gate("g").after(both).build()))
                    .getFirst()
                    .id());
        }
        return tied;
    }

    private static Callable<List<Long>> after(CyclicBarrier barrier, Callable<List<Long>> work) {
        return () -> {
            barrier.await();
            return work.call();
        };
    }

    private static List<Long> all(List<Future<List<Long>>> done) throws InterruptedException, ExecutionException {
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> each : done) {
            all.addAll(each.get());
        }
        return all;
    }
}
