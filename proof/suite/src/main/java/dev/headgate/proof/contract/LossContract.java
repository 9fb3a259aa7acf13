package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobTable.LeaseRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the loss of a worker counts against the jobs that it ran, and when it does not: the worker came back alive. */
public interface LossContract extends StoreFixture {
    @Test
    default void aJobThatLosesThreeWorkersFailsAndSaysWhichAndWhen(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a").attempts(100));
        StringBuilder seen = new StringBuilder();
        for (int time = 1; time <= 3; time++) {
            ScriptedWorker doomed = rig.worker("mail");
            assertThat(doomed.claim(1)).containsExactly(id);
            rig.lose(doomed);
            seen.append("worker %s was lost and ran this job alone (%s, %s)"
                            .formatted(doomed.id(), rig.time().now(), doomed.id()))
                    .append(time < 3 ? "; " : ".");
        }
        assertThat(rig.status(id).state()).isEqualTo(JobState.FAILED);
        assertThat(rig.status(id).report().detail())
                .startsWith("lost its worker 3 times, 3 is the most: ")
                .contains(seen)
                .contains("then retry it, or let its workers allow more (lostMax)");
        assertThat(rig.status(id).leases().lost()).isEqualTo(3);
        assertThat(rig.store().attempts(id)).extracting(Attempt::outcome).containsExactly("lost", "lost", "lost");
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aJobThatStartedAgainAtOnceComesBackWhenItsWorkerIsLost(Rig rig) {
        ScriptedWorker doomed = rig.worker("mail");
        List<JobId> ids =
                List.of(rig.enqueue(job("mail")), rig.enqueue(job("mail").gate("a")));
        assertThat(doomed.claim(2)).containsExactlyElementsOf(ids);
        for (JobId id : ids) {
            assertThat(doomed.retryNow(id)).containsExactly(id);
        }
        rig.lose(doomed);
        ids.forEach(id -> assertThat(rig.state(id)).isNotEqualTo(JobState.RUNNING));
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void howManyWorkersAJobMayLoseIsForTheLostWorkerToSay(Rig rig) {
        JobId strict = rig.enqueue(job("strict").attempts(100));
        JobId mild = rig.enqueue(job("mild").attempts(100));
        ScriptedWorker once = rig.worker("strict").lostMax(1);
        once.claim(1);
        rig.lose(once);
        assertThat(rig.state(strict)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(strict).report().detail()).startsWith("lost its worker 1 times, 1 is the most");
        for (int time = 1; time <= 5; time++) {
            assertThat(rig.state(mild)).isEqualTo(JobState.QUEUED);
            ScriptedWorker doomed = rig.worker("mild").lostMax(5);
            doomed.claim(1);
            rig.lose(doomed);
        }
        assertThat(rig.state(mild)).isEqualTo(JobState.FAILED);
    }

    @Test
    default void theSecondLossIsToldWithTheFirst(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(100));
        for (int time = 1; time <= 2; time++) {
            ScriptedWorker doomed = rig.worker("mail").lostMax(2);
            assertThat(doomed.claim(1)).containsExactly(id);
            rig.lose(doomed);
            rig.advance(Duration.ofMinutes(1));
        }
        assertThat(rig.status(id).report().detail()).startsWith("lost its worker 2 times");
        for (Attempt lost : rig.store().attempts(id)) {
            assertThat(rig.status(id).report().detail()).contains(lost.worker() + ")");
        }
    }

    @Test
    default void theLatestSixLossesAreTold(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(100));
        for (int time = 1; time <= 8; time++) {
            ScriptedWorker doomed = rig.worker("mail").lostMax(8);
            assertThat(doomed.claim(1)).containsExactly(id);
            rig.lose(doomed);
            rig.advance(Duration.ofHours(2));
        }
        List<Attempt> lost = rig.store().attempts(id);
        String told = String.valueOf(rig.status(id).report().detail());
        assertThat(told).startsWith("lost its worker 8 times, 8 is the most: ");
        assertThat(lost).hasSize(8);
        for (int time = 0; time < 8; time++) {
            boolean isTold = told.contains(
                    lost.get(time).endedAt() + ", " + lost.get(time).worker());
            assertThat(isTold).as("loss %d", time).isEqualTo(time >= 2);
        }
    }

    @Test
    default void ofARetriedJobOnlyWhatItLostSinceThenIsTold(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(100));
        ScriptedWorker former = rig.worker("mail").lostMax(1);
        former.claim(1);
        rig.lose(former);
        rig.store().retry(id);
        for (int time = 1; time <= 2; time++) {
            rig.advance(Duration.ofHours(2));
            ScriptedWorker doomed = rig.worker("mail").lostMax(2);
            assertThat(doomed.claim(1)).containsExactly(id);
            rig.lose(doomed);
        }
        List<Attempt> lost = rig.store().attempts(id);
        assertThat(rig.status(id).report().detail())
                .startsWith("lost its worker 2 times, 2 is the most: ")
                .contains(lost.get(1).worker() + ")", lost.get(2).worker() + ")")
                .doesNotContain(former.id() + ")");
    }

    /** Otherwise the jobs next in line behind a job that kills its workers would fail with it. */
    @Test
    default void jobsThatLostTheirWorkerTwiceComeBackOneByOne(Rig rig) {
        List<JobId> jobs = rig.enqueue(3, job("mail").gate("a").attempts(100));
        for (int time = 1; time <= 2; time++) {
            ScriptedWorker doomed = rig.worker("mail");
            assertThat(doomed.claim(3)).containsExactlyElementsOf(jobs);
            rig.lose(doomed);
        }
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(3)).containsExactly(jobs.get(0));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(3)).containsExactly(jobs.get(1));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(3)).containsExactly(jobs.get(2));
    }

    /** Jobs that may lose two are apart after the first: at the next one it would be too late. */
    @Test
    default void afterTwoLossesTheyComeOneByOneOrAfterOneIfTheNextIsTheLast(Rig rig) {
        for (int most : List.of(2, 5)) {
            String queue = "most-" + most;
            List<JobId> jobs = rig.enqueue(2, job(queue).attempts(100));
            for (int time = 1; time <= (most == 2 ? 1 : 2); time++) {
                ScriptedWorker doomed = rig.worker(queue).lostMax(most);
                assertThat(doomed.claim(2)).containsExactlyElementsOf(jobs);
                rig.lose(doomed);
            }
            ScriptedWorker worker = rig.worker(queue);
            assertThat(worker.claim(2)).as(queue).containsExactly(jobs.get(0));
            rig.advance(Duration.ofSeconds(5));
            assertThat(worker.claim(2)).as(queue).containsExactly(jobs.get(1));
        }
    }

    @Test
    default void howeverManyLostTheirWorkerNoneWaitsLongerThanAMinuteForTheOthers(Rig rig) {
        List<JobId> jobs = rig.enqueue(15, job("mail").attempts(100));
        for (int time = 1; time <= 2; time++) {
            ScriptedWorker doomed = rig.worker("mail");
            assertThat(doomed.claim(15)).containsExactlyElementsOf(jobs);
            rig.lose(doomed);
        }
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(15)).containsExactly(jobs.getFirst());
        rig.advance(Duration.ofSeconds(55));
        assertThat(worker.claim(15)).containsExactlyInAnyOrderElementsOf(jobs.subList(1, 12));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(15)).containsExactlyInAnyOrderElementsOf(jobs.subList(12, 15));
    }

    /** Of two that ran side by side either may be the one; a loss while it ran alone leaves no doubt. */
    @Test
    default void aJobThatRanBesideOthersMayLoseTwiceAsManyWorkers(Rig rig) {
        JobId first = rig.enqueue(job("mail").attempts(100));
        JobId second = rig.enqueue(job("mail").attempts(100));
        for (int time = 1; time <= 5; time++) {
            ScriptedWorker doomed = rig.worker("mail");
            rig.advance(Duration.ofMinutes(1));
            assertThat(doomed.claim(2)).containsExactlyInAnyOrder(first, second);
            rig.lose(doomed);
            assertThat(rig.state(second)).as("after loss %d", time).isNotEqualTo(JobState.FAILED);
        }
        ScriptedWorker alone = rig.worker("mail");
        rig.advance(Duration.ofSeconds(1));
        assertThat(alone.claim(1)).containsExactly(first);
        rig.lose(alone);
        assertThat(rig.status(first).report().detail())
                .startsWith("lost its worker 6 times, 3 is the most: ")
                .contains("beside 1 other (")
                .contains("ran this job alone (");
        ScriptedWorker last = rig.worker("mail");
        JobId third = rig.enqueue(job("mail").attempts(100));
        rig.advance(Duration.ofMinutes(1));
        assertThat(last.claim(2)).containsExactlyInAnyOrder(second, third);
        rig.lose(last);
        assertThat(rig.status(second).state()).isEqualTo(JobState.FAILED);
        assertThat(rig.status(second).report().detail()).contains("twice as many for jobs that ran beside others");
        assertThat(rig.status(third).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    default void aLossDoesNotCountIfTheWorkerCameBackAlive(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        for (int time = 1; time <= 6; time++) {
            ScriptedWorker suspended = rig.worker("mail");
            rig.advance(Duration.ofMinutes(1));
            assertThat(suspended.claim(1)).as("suspend %d", time).containsExactly(id);
            rig.lose(suspended);
            assertThat(rig.status(id).leases().lost()).isEqualTo(1);
            assertThat(suspended.comeBack()).isEqualTo(1);
            JobStatus status = rig.status(id);
            assertThat(status.leases().lost()).isZero();
            assertThat(status.leases().attempt()).isZero();
            assertThat(status.state().isWaiting()).isTrue();
        }
        assertThat(rig.store().attempts(id))
                .hasSize(6)
                .allSatisfy(attempt -> assertThat(attempt.outcome()).isEqualTo("returned"))
                .allSatisfy(attempt -> assertThat(attempt.error()).contains("although the process lived"));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofMinutes(1));
        worker.claim(1);
        assertThat(worker.finish(id)).isTrue();
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
    }

    @Test
    default void aWorkerThatComesBackBeforeItIsReapedBringsItsJobsBackWithoutALoss(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a").attempts(1));
        ScriptedWorker suspended = rig.worker("mail");
        suspended.claim(2);
        rig.time().advance(ScriptedWorker.LEASE);
        assertThat(suspended.comeBack()).isEqualTo(2);
        for (JobId id : ids) {
            JobStatus status = rig.status(id);
            assertThat(status.state()).isEqualTo(JobState.QUEUED);
            assertThat(status.leases().lost()).isZero();
            assertThat(status.leases().attempt()).isZero();
            assertThat(status.report().detail())
                    .contains("1 of at most 20 in a row")
                    .contains("although the process lived");
        }
        assertThat(rig.leases("gate a")).isZero();
        assertThat(rig.store().reap()).isZero();
        suspended.register();
        assertThat(suspended.claim(2)).isEqualTo(ids);
    }

    @Test
    default void aLossIsTakenBackAlsoIfTheJobHasMovedOn(Rig rig) {
        JobId running = rig.enqueue(job("mail"));
        JobId done = rig.enqueue(job("mail"));
        ScriptedWorker suspended = rig.worker("mail");
        suspended.claim(2);
        rig.lose(suspended);
        ScriptedWorker second = rig.worker("mail");
        assertThat(second.claim(2)).containsExactly(running, done);
        second.finish(done);
        JobStatus ended = rig.status(done);
        assertThat(suspended.comeBack()).isEqualTo(1);
        assertThat(rig.status(running).state()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status(running).leases().lost()).isZero();
        assertThat(rig.status(running).leases().attempt()).isEqualTo(1);
        assertThat(rig.status(done)).as("what has ended stays as it ended").isEqualTo(ended);
        assertThat(second.finish(running)).isTrue();
        assertThat(rig.status(running).leases().attempt()).isEqualTo(1);
        assertThat(rig.store().attempts(done)).extracting(Attempt::outcome).containsExactly("returned");
    }

    @Test
    default void onlyTheLossOfThisLeaseIsTakenBackAndOnlyOnce(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker suspended = rig.worker("mail");
        suspended.claim(1);
        LeaseRef first = suspended.ref(id);
        rig.lose(suspended);
        ScriptedWorker dead = rig.worker("mail");
        dead.claim(1);
        LeaseRef second = dead.ref(id);
        rig.lose(dead);
        assertThat(rig.status(id).leases().lost()).isEqualTo(2);
        rig.worker("mail");
        assertThat(rig.explain(id).summary()).contains("lost its worker 2 times");
        assertThat(rig.store().cameBack(suspended.id(), List.of(second))).isZero();
        assertThat(rig.store().cameBack(dead.id(), List.of(first))).isZero();
        assertThat(rig.store().cameBack("nobody", List.of(first, second))).isZero();
        assertThat(rig.status(id).leases().lost()).isEqualTo(2);
        assertThat(suspended.comeBack()).isEqualTo(1);
        assertThat(suspended.comeBack()).isZero();
        assertThat(rig.status(id).leases().lost()).isEqualTo(1);
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
        assertThat(rig.store().attempts(id)).extracting(Attempt::outcome).containsExactly("returned", "lost");
    }

    @Test
    default void aRetriedJobForgetsItsLossesAndReturns(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(100));
        ScriptedWorker troubled = rig.worker("mail");
        troubled.claim(1);
        troubled.handBack(id, "trouble");
        ScriptedWorker first = rig.worker("mail");
        first.claim(1);
        rig.lose(first);
        for (int time = 2; time <= 3; time++) {
            ScriptedWorker doomed = rig.worker("mail");
            rig.advance(Duration.ofMinutes(1));
            assertThat(doomed.claim(1)).containsExactly(id);
            rig.lose(doomed);
        }
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        rig.store().retry(id);
        assertThat(first.comeBack()).as("a loss that counts no more").isZero();
        assertThat(rig.status(id).leases().lost()).isZero();
        assertThat(rig.status(id).leases().attempt()).isZero();
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(id);
        worker.handBack(id, "trouble");
        assertThat(rig.status(id).report().detail()).contains("1 of at most 20 in a row");
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
    }

    /** A job comes back at most twenty times in a row; a loss that no longer counts ends the row, as any failure does. */
    @Test
    default void returnsBeforeALossOfAnEarlierLifeCountNoMore(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(99));
        ScriptedWorker first = rig.worker("mail").lostMax(1);
        for (int times = 0; times < 19; times++) {
            assertThat(first.claim(1)).containsExactly(id);
            first.handBack(id, "no heartbeat came through");
            rig.advance(Duration.ofMinutes(6));
        }
        assertThat(first.claim(1)).containsExactly(id);
        rig.lose(first);
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        rig.store().retry(id);
        ScriptedWorker second = rig.worker("mail");
        assertThat(second.claim(1)).containsExactly(id);
        second.handBack(id, "no heartbeat came through");
        assertThat(second.claim(1)).containsExactly(id);
        rig.lose(second);
        assertThat(second.comeBack()).isEqualTo(1);
        assertThat(rig.status(id).leases().lost()).isZero();
    }

    /** Or a job that makes its process stand still for longer than the lease would start for ever. */
    @Test
    default void comebacksWithoutEndCountAsLosses(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(1_000));
        int starts = 0;
        while (rig.state(id) != JobState.FAILED) {
            ScriptedWorker suspended = rig.worker("mail");
            rig.advance(Duration.ofMinutes(6));
            assertThat(suspended.claim(1)).containsExactly(id);
            rig.lose(suspended);
            suspended.comeBack();
            assertThat(++starts).isLessThanOrEqualTo(20 + 3);
        }
        assertThat(starts).isEqualTo(20 + 3);
        assertThat(rig.status(id).report().detail()).startsWith("lost its worker 3 times");
    }
}
