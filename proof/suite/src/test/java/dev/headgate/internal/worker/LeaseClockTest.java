package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How long a worker believes in its lease. The store counts from the moment at which it reads its clock; the worker knows
 * only that this was after it had sent the request, so it counts from there, or it would believe for longer than the store.
 */
class LeaseClockTest {
    private static final Duration SLOW = Duration.ofSeconds(4);
    private static final Duration THREE_QUARTERS = Duration.ofMillis(22_500);

    private final SteppedWorker worker = new SteppedWorker();
    private final List<Long> believedUntil = new ArrayList<>();

    private void start() {
        worker.start(job -> believedUntil.add(worker.nanos() + job.leaseLeft().toNanos()));
    }

    private void runOne() {
        worker.enqueue();
        worker.turn();
        worker.work();
        worker.turn();
    }

    @Test
    void theLeaseOfARegistrationCountsFromItsSending() {
        worker.slow("", SLOW);
        long sent = worker.nanos();
        start();
        worker.heal();
        runOne();
        assertThat(believedUntil).containsExactly(sent + SteppedWorker.LEASE.toNanos());
    }

    @Test
    void theLeaseOfAHeartbeatCountsFromItsSending() {
        start();
        worker.slow("keeper", SLOW);
        worker.pass(SteppedWorker.LEASE.dividedBy(6));
        long sent = worker.nanos();
        worker.round("keeper");
        runOne();
        assertThat(believedUntil).containsExactly(sent + SteppedWorker.LEASE.toNanos());
    }

    @Test
    void theLeaseOfANewRegistrationCountsFromItsSending() {
        start();
        String first = worker.id();
        worker.suspend(SteppedWorker.LEASE.multipliedBy(2));
        worker.beat();
        worker.slow("keeper", SLOW);
        long sent = worker.nanos();
        worker.round("keeper");
        worker.heal();
        assertThat(worker.id()).isNotEqualTo(first);
        runOne();
        assertThat(believedUntil).containsExactly(sent + SteppedWorker.LEASE.toNanos());
    }

    @Test
    void aGrantThatArrivesAfterThreeQuartersOfTheLeaseDoesNotStart() {
        start();
        JobId id = worker.enqueue();
        worker.slow("claims", THREE_QUARTERS);
        worker.round("claims");
        assertThat(worker.status(id).leases().epoch()).as("it was granted").isEqualTo(1);
        assertThat(worker.running()).as("but not started").isZero();
        worker.heal();
        worker.turn();
        assertThat(worker.status(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(worker.status(id).leases().attempt()).isZero();
        worker.beat();
        worker.turn();
        worker.work();
        worker.turn();
        assertThat(worker.status(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.status(id).leases().epoch()).isEqualTo(2);
        assertThat(worker.status(id).leases().attempt()).isEqualTo(1);
        assertThat(believedUntil).hasSize(1);
    }

    @Test
    void aGrantThatArrivesBeforeThatStarts() {
        start();
        worker.enqueue();
        worker.slow("claims", THREE_QUARTERS.minusMillis(20));
        worker.round("claims");
        assertThat(worker.running()).isEqualTo(1);
    }
}
