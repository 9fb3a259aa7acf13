package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobRow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One valid lease per job, epochs that only rise, and nothing that a former holder does counts. */
public interface LeaseContract extends StoreFixture {
    @Test
    default void aStartIsNotedWithWorkerTimeAttemptAndEpoch(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        rig.advance(Duration.ofSeconds(3));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.RUNNING);
        assertThat(status.leases().worker()).isEqualTo(worker.id());
        assertThat(status.times().startedAt()).isEqualTo(rig.time().now());
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(status.leases().epoch()).isEqualTo(1);
    }

    @Test
    default void epochsRiseWithEveryStartHoweverTheLastOneEnded(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a").attempts(10));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.lease(id).lease().epoch()).isEqualTo(1);
        worker.retryNow(id);
        assertThat(worker.lease(id).lease().epoch()).isEqualTo(2);
        worker.handBack(id);
        worker.claim(1);
        assertThat(worker.lease(id).lease().epoch()).isEqualTo(3);
        worker.retryAfter(id, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        worker.claim(1);
        assertThat(worker.lease(id).lease().epoch()).isEqualTo(4);
        rig.lose(worker);
        ScriptedWorker next = rig.worker("mail");
        next.claim(1);
        assertThat(next.lease(id).lease().epoch()).isEqualTo(5);
        next.fail(id, "no good");
        rig.store().retry(id);
        next.claim(1);
        assertThat(next.lease(id).lease().epoch()).isEqualTo(6);
    }

    @Test
    default void aSecondEndOfTheSameLeaseIsRefusedAndReleasesNothing(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(first, second);
        JobRow lease = worker.lease(first);
        assertThat(worker.finish(first, "1")).isTrue();
        Turn again = worker.turn(0, new EndedLease(lease, new Outcome.Failed("too late")));
        assertThat(again.refused()).containsExactly(first.value());
        assertThat(rig.leases("gate a")).isEqualTo(1);
        assertThat(rig.status(first).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.status(first).report().result()).isEqualTo("1");
    }

    @Test
    default void anOldEpochIsRefusedAfterAnImmediateRetry(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobRow old = worker.lease(id);
        worker.retryNow(id);
        assertThat(worker.turn(0, new EndedLease(old, new Outcome.Succeeded("old")))
                        .refused())
                .containsExactly(id.value());
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.leases("gate a")).isEqualTo(1);
        worker.turn(0, new EndedLease(old, new Outcome.HandedBack()));
        worker.turn(1, new EndedLease(old, new Outcome.RetryAfter(Duration.ZERO, "again")));
        assertThat(rig.status(id).leases().epoch()).isEqualTo(2);
        assertThat(rig.leases("gate a")).isEqualTo(1);
    }

    @Test
    default void aZombieCannotEndItsJobWhileTheSecondAttemptRuns(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker zombie = rig.worker("mail");
        zombie.claim(1);
        rig.lose(zombie);
        ScriptedWorker second = rig.worker("mail");
        assertThat(second.claim(1)).containsExactly(id);
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(() -> zombie.finish(id, "zombie"));
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.status(id).leases().worker()).isEqualTo(second.id());
        assertThat(rig.leases("gate a")).isEqualTo(1);
    }

    @Test
    default void aZombieUnderItsOldNameCannotEndItsJobWhileTheSecondAttemptRuns(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker zombie = rig.worker("mail");
        zombie.claim(1);
        rig.lose(zombie);
        ScriptedWorker second = rig.worker("mail");
        second.claim(1);
        zombie.register();
        assertThat(zombie.report(id, new Progress(99, "nearly"), "a line")).isFalse();
        assertThat(zombie.heartbeat().toStop()).containsExactly(id.value());
        assertThat(zombie.finish(id, "zombie")).isFalse();
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.status(id).report().progress()).isNull();
        assertThat(rig.store().log(id)).isEmpty();
        assertThat(rig.leases("gate a")).isEqualTo(1);
    }

    @Test
    default void aZombieCannotChangeTheResultAfterTheSecondAttemptFinished(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker zombie = rig.worker("mail");
        zombie.claim(1);
        rig.lose(zombie);
        ScriptedWorker second = rig.worker("mail");
        second.claim(1);
        assertThat(second.finish(id, "\"second\"")).isTrue();
        JobStatus ended = rig.status(id);
        zombie.register();
        assertThat(zombie.finish(id, "\"zombie\"")).isFalse();
        assertThat(rig.status(id)).isEqualTo(ended);
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aZombieThatGotTheJobAgainMustNotUseItsOldEpoch(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobRow old = worker.lease(id);
        rig.lose(worker);
        worker.register();
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(worker.turn(0, new EndedLease(old, new Outcome.Succeeded("old")))
                        .refused())
                .containsExactly(id.value());
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.leases("gate a")).isEqualTo(1);
    }

    @Test
    default void aHeartbeatExtendsTheLease(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        for (int beat = 0; beat < 10; beat++) {
            rig.time().advance(ScriptedWorker.LEASE.minusMillis(1));
            assertThat(worker.heartbeat().toStop()).isEmpty();
        }
        assertThat(rig.store().reap()).isZero();
        assertThat(worker.finish(id)).isTrue();
    }

    @Test
    default void aHeartbeatIsRefusedFromTheInstantTheLeaseEnds(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.time().advance(ScriptedWorker.LEASE);
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(worker::heartbeat);
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(worker::heartbeat);
    }

    @Test
    default void aWorkerWhoseLeaseHasEndedCanNeitherClaimNorBringBackBeforeItIsReaped(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        JobId waiting = rig.enqueue(job("mail").gate("b"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.time().advance(ScriptedWorker.LEASE);
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(() -> worker.claim(1));
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(() -> worker.finish(id));
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.state(waiting)).isEqualTo(JobState.QUEUED);
        assertThat(rig.leases("gate a")).isEqualTo(1);
    }

    @Test
    default void aHeartbeatTellsThatAnotherWorkerIsGone(Rig rig) {
        ScriptedWorker living = rig.worker("mail");
        ScriptedWorker dying = rig.worker("mail");
        assertThat(living.heartbeat().isReapDue()).isFalse();
        dying.crash();
        rig.advance(ScriptedWorker.LEASE);
        assertThat(living.heartbeat().isReapDue()).isTrue();
        rig.store().reap();
        assertThat(living.heartbeat().isReapDue()).isFalse();
    }

    @Test
    default void reapingTwiceReapsOnce(Rig rig) {
        rig.enqueue(3, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(3);
        worker.crash();
        rig.advance(ScriptedWorker.LEASE);
        assertThat(rig.store().reap()).isEqualTo(3);
        assertThat(rig.store().reap()).isZero();
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aLivingWorkerIsNotReaped(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.time().advance(ScriptedWorker.LEASE.minusNanos(1000));
        assertThat(rig.store().reap()).isZero();
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void aDeletedRunningJobIsStoppedAndItsEndRefused(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.store().delete(id);
        assertThat(worker.heartbeat().toStop()).containsExactly(id.value());
        assertThat(worker.finish(id)).isFalse();
        assertThat(rig.store().find(id)).isNull();
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aClaimAndAnEndInOneTurnHandTheFreedPlaceOn(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(first);
        Turn turn = worker.turn(1, new EndedLease(worker.lease(first), new Outcome.Succeeded(null)));
        assertThat(turn.started()).extracting(JobRow::id).containsExactly(second.value());
    }
}
