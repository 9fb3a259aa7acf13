package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.JobContext;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker in trouble of its own: its jobs neither start for ever nor fail for what is not their fault. */
class OwnTroubleTest {
    private static final Duration LONG = SteppedWorker.LEASE.multipliedBy(4);

    private final SteppedWorker worker = new SteppedWorker();
    private final List<Duration> starts = new ArrayList<>();

    private void handle(JobContext job) {
        job.checkCancelled();
    }

    private void start() {
        worker.start(this::handle);
    }

    /** The machine sleeps for longer than the lease while a job runs, and wakes up. */
    private void suspendWhileItRuns(JobId id) {
        worker.turn();
        assertThat(worker.running()).as("it runs: %s", worker.status(id)).isEqualTo(1);
        worker.suspend(LONG);
        worker.beat();
        worker.round("keeper");
        worker.work();
        worker.turn();
        worker.round("janitor");
        worker.idle(Duration.ofMinutes(2));
    }

    @Test
    void suspendsDoNotFailAHealthyJob() {
        start();
        JobId id = worker.enqueue();
        for (int times = 1; times <= 8; times++) {
            suspendWhileItRuns(id);
            JobStatus status = worker.status(id);
            assertThat(status.leases().lost())
                    .as("after suspend %d: %s", times, status)
                    .isZero();
            assertThat(status.state()).isNotEqualTo(JobState.FAILED);
        }
        worker.turn();
        worker.work();
        worker.turn();
        JobStatus status = worker.status(id);
        assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(worker.store.attempts(id))
                .hasSize(8)
                .allSatisfy(attempt -> assertThat(attempt.outcome()).isEqualTo("returned"));
    }

    /** As when another worker has looked after the jobs of this one while it slept. */
    @Test
    void aLossThatAnotherWorkerHasCountedIsTakenBack() {
        start();
        JobId id = worker.enqueue();
        worker.turn();
        worker.suspend(LONG);
        assertThat(worker.store.reap()).isEqualTo(1);
        assertThat(worker.status(id).leases().lost()).isEqualTo(1);
        worker.beat();
        worker.round("keeper");
        worker.round("janitor");
        assertThat(worker.status(id).leases().lost()).isZero();
        assertThat(worker.status(id).leases().attempt()).isZero();
        assertThat(worker.store.attempts(id)).extracting(Attempt::outcome).containsExactly("returned");
    }

    /** Its handler ended while the machine slept, so it runs no more when the worker learns that it was given up. */
    @Test
    void aLossIsTakenBackAlsoIfTheHandlerHadEnded() {
        start();
        JobId id = worker.enqueue();
        worker.turn();
        worker.suspend(LONG);
        worker.work();
        assertThat(worker.store.reap()).isEqualTo(1);
        worker.turn();
        worker.round("claims");
        worker.round("janitor");
        assertThat(worker.status(id).leases().lost()).isZero();
        assertThat(worker.store.attempts(id)).extracting(Attempt::outcome).containsExactly("returned");
    }

    @Test
    void aLossIsTakenBackOnceTheStoreCanBeReached() {
        start();
        JobId id = worker.enqueue();
        worker.turn();
        worker.suspend(LONG);
        assertThat(worker.store.reap()).isEqualTo(1);
        worker.cutOff("janitor");
        worker.beat();
        worker.round("janitor");
        assertThat(worker.status(id).leases().lost()).isEqualTo(1);
        worker.heal();
        worker.round("janitor");
        assertThat(worker.status(id).leases().lost()).isZero();
    }

    /** As when handlers hold a lock or all connections that heartbeats need. */
    @Test
    void aJobThatComesBackBecauseOfItsWorkerSlowsDownAndEnds() {
        start();
        JobId id = worker.enqueue();
        Duration waited = Duration.ZERO;
        while (worker.status(id).state() != JobState.FAILED) {
            worker.turn();
            if (worker.running() == 0) {
                worker.beat();
                waited = waited.plus(SteppedWorker.LEASE.dividedBy(6));
                assertThat(waited).isLessThan(Duration.ofMinutes(6));
                continue;
            }
            starts.add(waited);
            assertThat(starts).as("starts").hasSizeLessThanOrEqualTo(20);
            waited = Duration.ZERO;
            worker.cutOff("keeper");
            worker.pass(SteppedWorker.LEASE.dividedBy(4).multipliedBy(3));
            worker.round("watch");
            worker.work();
            worker.heal();
        }
        assertThat(starts).hasSize(20);
        assertThat(starts.getLast()).isGreaterThan(starts.get(5)).isGreaterThan(Duration.ofMinutes(4));
        JobStatus status = worker.status(id);
        assertThat(status.report().detail())
                .contains("gave it back 20 times in a row")
                .contains("no heartbeat reached the store for three quarters of the lease (20 times)")
                .contains("give the pool more connections");
        assertThat(status.leases().lost()).isZero();
        assertThat(worker.store.recount()).isEmpty();
    }

    /** Or its lease would end while handlers hold every other connection of the application's pool. */
    @Test
    void theHeartbeatLoopUsesNoConnectionButItsOwn() {
        start();
        JobId id = worker.enqueue();
        worker.turn();
        worker.beat();
        worker.store.cancel(id);
        worker.pass(Duration.ofMillis(100));
        worker.round("keeper");
        worker.suspend(LONG);
        String first = worker.id();
        worker.beat();
        worker.round("keeper");
        worker.beat();
        assertThat(worker.id()).as("it has registered anew").isNotEqualTo(first);
        assertThat(worker.calls)
                .contains("keeper writeApart", "keeper readApart")
                .doesNotContain("keeper write", "keeper read");
    }
}
