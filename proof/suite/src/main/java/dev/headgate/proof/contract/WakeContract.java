package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Jobs.Draft;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Wakes reach other workers only for work that they could start and that no other worker sees in time. */
public interface WakeContract extends StoreFixture {
    Wake MAIL = new Wake.Queue("mail");

    @Test
    default void aFullWorkerTellsOthersOfTheWorkThatItLeaves(Rig rig) {
        rig.enqueue(3, job("mail"));
        ScriptedWorker first = rig.worker("mail");
        assertThat(first.turn(1).wakes()).containsExactly(MAIL);
        ScriptedWorker second = rig.worker("mail");
        assertThat(second.turn(3).wakes()).as("it found the end").isEmpty();
    }

    @Test
    default void aFullWorkerTellsOthersOfTheLanesThatItLeaves(Rig rig) {
        rig.enqueue(2, job("mail").gate("a"));
        rig.enqueue(job("mail").gate("b"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.turn(1).wakes()).as("a and b").containsExactly(MAIL);
        assertThat(worker.turn(1).wakes()).as("b").containsExactly(MAIL);
        assertThat(worker.turn(2).wakes()).isEmpty();
    }

    @Test
    default void whatIsBlockedIsNothingToTell(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        rig.policy("queue video", "concurrency 1");
        rig.enqueue(3, job("mail").gate("a"));
        rig.enqueue(3, job("video"));
        assertThat(rig.worker("mail").turn(5).wakes()).isEmpty();
        assertThat(rig.worker("video").turn(5).wakes()).isEmpty();
        assertThat(rig.worker("video").turn(1).wakes()).isEmpty();
    }

    @Test
    default void aFullWorkerThatMakesRoomInALimitedQueueTellsOthers(Rig rig) {
        rig.policy("queue mail", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId limited = rig.enqueue(job("mail"));
        JobId free = rig.enqueue(job("video"));
        assertThat(worker.claim(2)).containsExactly(limited, free);
        assertThat(worker.turn(0, done(worker, free)).wakes())
                .as("its queue has no limit")
                .isEmpty();
        assertThat(worker.turn(0, done(worker, limited)).wakes()).containsExactly(MAIL);
    }

    @Test
    default void aWorkerWithFreeSlotsLooksItself(Rig rig) {
        rig.policy("queue mail", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId limited = rig.enqueue(job("mail"));
        assertThat(worker.claim(1)).containsExactly(limited);
        assertThat(worker.turn(2, done(worker, limited)).wakes()).isEmpty();
    }

    @Test
    default void whatATurnLeavesIsPublished(Rig rig) throws InterruptedException {
        rig.enqueue(2, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        BlockingQueue<Wake> told = new LinkedBlockingQueue<>();
        try (Subscription heard = rig.store().backend().listen(told::add)) {
            assertThat(worker.turn(1).started()).hasSize(1);
            assertTold(told);
        }
    }

    /** The worker that moved a gate last comes when it opens; the others need not. */
    @Test
    default void oneWorkerComesWhenAGateOpensAndTheOthersAreToldSo(Rig rig) {
        rig.policy("gate a", "rate 1/10s burst 1");
        rig.enqueue(2, job("mail").gate("a"));
        Turn.Next mover = Objects.requireNonNull(rig.worker("mail").turn(5).next());
        assertThat(mover.in()).isEqualTo(Duration.ofSeconds(10));
        assertThat(mover.isOthers()).isFalse();
        Turn.Next bystander = Objects.requireNonNull(rig.worker("mail").turn(5).next());
        assertThat(bystander.in()).isEqualTo(Duration.ofSeconds(10));
        assertThat(bystander.isOthers()).isTrue();
        rig.enqueue(job("mail").gate("a").gate("b"));
        Turn.Next met = Objects.requireNonNull(rig.worker("mail").turn(5).next());
        assertThat(met.in()).isEqualTo(Duration.ofSeconds(10));
        assertThat(met.isOthers()).as("it met the gate and moved nothing").isTrue();
    }

    @Test
    default void oneWorkerComesWhenAQueueOpensAndTheOthersAreToldSo(Rig rig) {
        rig.policy("queue mail", "rate 1/10s burst 1");
        rig.enqueue(2, job("mail"));
        Turn.Next mover = Objects.requireNonNull(rig.worker("mail").turn(5).next());
        assertThat(mover.in()).isEqualTo(Duration.ofSeconds(10));
        assertThat(mover.isOthers()).isFalse();
        Turn.Next bystander = Objects.requireNonNull(rig.worker("mail").turn(5).next());
        assertThat(bystander.in()).isEqualTo(Duration.ofSeconds(10));
        assertThat(bystander.isOthers()).isTrue();
    }

    @Test
    default void aFreedPlaceTellsTheQueueOfTheLaneThatMayHaveIt(Rig rig) {
        rig.policy("gate shared", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("shared"));
        assertThat(worker.claim(1)).containsExactly(running);
        JobId next = rig.enqueue(job("video").gate("shared"));
        ScriptedWorker video = rig.worker("video");
        assertThat(video.claim(1)).isEmpty();
        assertThat(worker.turn(1, done(worker, running)).wakes()).containsExactly(new Wake.Queue("video"));
        assertThat(video.turn(1).started()).hasSize(1);
        assertThat(video.holding()).containsExactly(next);
    }

    /** Its doorbell waits for workers of its queue, and no place is kept for a lane without a job. */
    @Test
    default void aPlaceIsNotKeptForALaneWhoseLastJobWasDropped(Rig rig) {
        rig.policy("gate shared", "concurrency 1").policy("queue video", "backlog 1 drop-oldest");
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("shared"));
        assertThat(worker.claim(1)).containsExactly(running);
        JobId dropped = rig.enqueue(job("video").gate("shared"));
        assertThat(rig.worker("video").claim(1)).isEmpty();
        rig.enqueue(job("video"));
        assertThat(rig.state(dropped)).isEqualTo(JobState.CANCELLED);
        JobId next = rig.enqueue(job("mail").gate("shared"));
        assertThat(worker.claim(1)).isEmpty();
        Turn turn = worker.turn(1, done(worker, running));
        assertThat(turn.wakes()).as("others may stand behind it").contains(new Wake.Anything());
        assertThat(turn.nextWake()).isZero();
        assertThat(worker.claim(1)).containsExactly(next);
    }

    /** A worker without a free slot files what is due, more than one turn of it, and tells those that may have one. */
    @Test
    default void whatIsFiledForOthersIsTold(Rig rig) throws InterruptedException {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 1_001; i++) {
            Draft draft = job("mail").after(Duration.ofSeconds(1 + i / 1_000));
            jobs.add((i == 7 ? draft.gate("a") : draft).build());
        }
        rig.store().enqueue(jobs);
        BlockingQueue<Wake> told = new LinkedBlockingQueue<>();
        try (Subscription heard = rig.store().backend().listen(told::add)) {
            assertThat(rig.store().fileDue(List.of("mail"))).isEqualTo(Duration.ofSeconds(1));
            rig.advance(Duration.ofMillis(1_500));
            assertThat(rig.store().fileDue(List.of("mail")))
                    .as("more may be due")
                    .isZero();
            assertTold(told);
        }
        assertThat(rig.store().fileDue(List.of("mail"))).isEqualTo(Duration.ofMillis(500));
        assertThat(rig.worker("mail").claimAll()).hasSize(1_000);
        rig.advance(Duration.ofMillis(500));
        assertThat(rig.store().fileDue(List.of("mail"))).isNull();
        assertThat(rig.worker("mail").claimAll()).hasSize(1);
    }

    @Test
    default void theEndOfAnExpiredHeadIsToldToThoseBehindIt(Rig rig) throws InterruptedException {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("gpu").cost(3));
        rig.enqueue(job("mail").gate("gpu").cost(5).deadline(rig.time().now().plusSeconds(1)));
        assertThat(worker.claim(5)).containsExactly(running);
        rig.advance(Duration.ofSeconds(1));
        BlockingQueue<Wake> told = new LinkedBlockingQueue<>();
        try (Subscription heard = rig.store().backend().listen(told::add)) {
            assertThat(worker.turn(1).started()).isEmpty();
            assertTold(told);
        }
    }

    /** A store that has just begun to listen may say first that anything may have happened. */
    private static void assertTold(BlockingQueue<Wake> told) throws InterruptedException {
        List<Wake> heard = new ArrayList<>();
        for (Wake wake = told.poll(30, TimeUnit.SECONDS); wake != null && !heard.contains(MAIL); wake = told.poll()) {
            heard.add(wake);
        }
        assertThat(heard).contains(MAIL);
    }

    private static EndedLease done(ScriptedWorker worker, JobId job) {
        return new EndedLease(worker.lease(job), new Outcome.Succeeded(null));
    }
}
