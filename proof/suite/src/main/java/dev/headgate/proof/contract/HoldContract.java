package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.operate.HoldStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Holds of queues as of gates: by hand, by what lies behind them, lifted with or without what was spent. */
public interface HoldContract extends StoreFixture {
    GateKey MAIL = GateKey.queue("mail");
    Duration MINUTE = Duration.ofMinutes(1);

    private static Outcome.PushedBack pushedBack(String name, @Nullable Duration retryAfter) {
        return new Outcome.PushedBack(name, retryAfter, 0, "status 429");
    }

    @Test
    default void aHeldQueueStartsNothingUntilItsTimeAndNoOtherIsHeld(Rig rig) {
        rig.policy("queue mail", "concurrency 5");
        rig.policy("queue mails", "concurrency 5");
        ScriptedWorker worker = rig.worker("mail", "mails");
        assertThat(rig.store().hold(MAIL, MINUTE, "maintenance")).isTrue();
        List<JobId> jobs = rig.enqueue(job("mail"), job("mail").gate("api"));
        JobId other = rig.enqueue(job("mails").gate("api"));
        assertThat(worker.claimAll()).containsExactly(other);
        assertThat(rig.explain(jobs.getFirst()).summary()).contains("queue mail", "maintenance");
        assertThat(rig.gate("queue mail").shut()).contains("maintenance");
        assertThat(worker.sleep()).isEqualTo(MINUTE);
        rig.advance(MINUTE);
        assertThat(worker.claimAll()).containsExactlyElementsOf(jobs);
    }

    @Test
    default void aPatternHasNothingToHoldReleaseOrClear(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 2");
        GateKey pattern = GateKey.gate("tenant:*");
        HoldStore holds = rig.store().holds();
        Instant soon = holds.now().plus(MINUTE);
        List<ThrowingCallable> acts = List.of(
                () -> holds.hold(pattern, MINUTE, "maintenance"),
                () -> holds.holdUntil(pattern, soon, "maintenance"),
                () -> holds.release(pattern),
                () -> holds.clear(pattern));
        for (ThrowingCallable act : acts) {
            assertThatIllegalArgumentException()
                    .isThrownBy(act)
                    .withMessageContaining("got the pattern 'tenant:*'")
                    .withMessageContaining("headgate pause gate 'tenant:*'");
        }
        assertThat(rig.worker("q").claimAll()).isEmpty();
        JobId job = rig.enqueue(job("q").gate("tenant:acme"));
        assertThat(rig.worker("q").claimAll()).containsExactly(job);
    }

    @Test
    default void aPushBackOfAPatternIsOneOfAnUnknownName(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 2");
        ScriptedWorker worker = rig.worker("q");
        JobId job = rig.enqueue(job("q"));
        assertThat(worker.claimAll()).containsExactly(job);
        HoldStore.PushedBack answer = rig.store().holds().pushBack(worker.lease(job), pushedBack("tenant:*", MINUTE));
        assertThat(answer.isHeld()).isFalse();
    }

    @Test
    default void aQueueWithoutLimitsIsHeldToo(Rig rig) {
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId before = rig.enqueue(job("mail").cost(3));
        assertThat(worker.claim(1)).containsExactly(before);
        assertThat(rig.store().hold(MAIL, MINUTE, "maintenance")).isTrue();
        assertThat(rig.leases("queue mail")).isEqualTo(1);
        List<JobId> jobs = rig.enqueue(2, job("mail"));
        JobId other = rig.enqueue(job("video"));
        assertThat(worker.claimAll()).containsExactly(other);
        worker.finish(before);
        assertThat(worker.claimAll()).isEmpty();
        assertThat(rig.explain(jobs.getFirst()).summary()).contains("queue mail", "maintenance");
        rig.advance(MINUTE);
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        rig.advance(Duration.ofHours(3));
        worker.finishAll();
        assertThat(worker.claimAll()).containsExactly(jobs.getLast());
        assertThat(rig.store().policies().entries()).isEmpty();
        rig.policy("queue mail", "concurrency 1");
        assertThat(rig.leases("queue mail")).isEqualTo(1);
    }

    @Test
    default void whatTellsOfAHoldIsNoChangeThatAnybodyMade(Rig rig) {
        rig.policy("gate api", "concurrency 5");
        rig.policy("gate api", "concurrency 1");
        rig.store().hold(MAIL, MINUTE, "maintenance");
        rig.store().policyStore().undo(null, "ann", "");
        assertThat(rig.store().policies().entry(GateKey.gate("api")).text()).isEqualTo("concurrency 5");
        rig.enqueue(job("mail"));
        assertThat(rig.worker("mail").claimAll()).as("the hold goes on").isEmpty();
    }

    @Test
    default void aDeclarationMeetsNoConflictBecauseOfAHold(Rig rig) {
        rig.store().hold(MAIL, MINUTE, "maintenance");
        rig.store()
                .changePolicies(PolicyRequest.of(
                        MAIL, new PolicyEdit.Declare(GatePolicy.parse("concurrency 2")), "program", ""));
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(3, job("mail"));
        assertThat(worker.claimAll()).isEmpty();
        rig.advance(MINUTE);
        assertThat(worker.claimAll()).as("its limits are in force").hasSize(2);
    }

    @Test
    default void releaseEndsAHoldAndKeepsWhatWasSpentWhereClearForgetsIt(Rig rig) {
        for (String name : List.of("queue mail", "gate api")) {
            rig.policy(name, "window 2/1h margin none");
        }
        ScriptedWorker worker = rig.worker("mail", "video");
        for (GateKey key : List.of(MAIL, GateKey.gate("api"))) {
            boolean isQueue = key.equals(MAIL);
            rig.enqueue(6, isQueue ? job("mail") : job("video").gate("api"));
            assertThat(worker.claim(1)).hasSize(1);
            assertThat(rig.store().holds().release(key)).as("was not held").isFalse();
            rig.store().hold(key, Duration.ofHours(9), "by mistake");
            assertThat(worker.claimAll()).isEmpty();
            assertThat(rig.store().holds().release(key)).isTrue();
            assertThat(worker.claimAll()).as("one of two was spent").hasSize(1);
            rig.store().hold(key, Duration.ofHours(9), "by mistake");
            rig.store().clear(key);
            assertThat(worker.claimAll()).hasSize(2);
        }
    }

    @Test
    default void whatNothingHasHeardOfIsNeitherClearedNorReleasedNorWritten(Rig rig) {
        rig.policy("gate covered*", "concurrency 5");
        for (GateKey key : List.of(GateKey.gate("ap"), MAIL, GateKey.gate("covered by a pattern"))) {
            assertThat(rig.store().clear(key)).as("clear %s", key).isFalse();
            assertThat(rig.store().holds().release(key)).as("release %s", key).isFalse();
        }
        assertThat(rig.store().overview(100).gates()).isEmpty();
        rig.store().hold(GateKey.gate("ap"), MINUTE, "maintenance");
        assertThat(rig.store().clear(GateKey.gate("ap"))).isTrue();
        assertThat(rig.gate("gate ap").shut()).isNull();
    }

    @Test
    default void aHoldEndsAtAnInstantAndOneThatIsPastChangesNothing(Rig rig) {
        HoldStore holds = rig.store().holds();
        assertThat(holds.holdUntil(MAIL, holds.now(), "past")).isFalse();
        assertThat(holds.holdUntil(MAIL, holds.now().plus(MINUTE), "until then"))
                .isTrue();
        assertThat(holds.holdUntil(MAIL, holds.now().plusSeconds(5), "sooner")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holds.holdUntil(MAIL, holds.now().plus(Duration.ofDays(400)), "ages"))
                .withMessageContaining("366 days");
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail"));
        assertThat(worker.sleep()).isEqualTo(MINUTE);
        rig.advance(MINUTE);
        assertThat(worker.claimAll()).containsExactly(id);
    }

    @Test
    default void aQueueThatPushesBackUsesTheBackOffOfItsPolicyAndReopensWithOneProbe(Rig rig) {
        rig.policy("queue mail", "concurrency 5; back-off 4s x3 max 10m");
        aQueuePushesBack(rig, Duration.ofSeconds(4), Duration.ofSeconds(12));
    }

    @Test
    default void aQueueWithoutLimitsPushesBackToo(Rig rig) {
        aQueuePushesBack(rig, Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    private static void aQueuePushesBack(Rig rig, Duration first, Duration second) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(3, job("mail"));
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        rig.store().holds().pushBack(worker.lease(jobs.getFirst()), pushedBack("mail", null));
        worker.bring(jobs.getFirst(), pushedBack("mail", null));
        assertThat(rig.status(jobs.getFirst()).leases().attempt()).isZero();
        assertThat(rig.state(jobs.getFirst())).isEqualTo(JobState.QUEUED);
        assertThat(worker.claimAll()).isEmpty();
        assertThat(rig.explain(jobs.getLast()).summary()).contains("queue mail", "status 429");
        assertThat(worker.sleep()).isEqualTo(first);
        rig.advance(first);
        assertThat(worker.claimAll()).as("one probe").containsExactly(jobs.getFirst());
        rig.store().holds().pushBack(worker.lease(jobs.getFirst()), pushedBack("mail", null));
        worker.bring(jobs.getFirst(), pushedBack("mail", null));
        assertThat(worker.sleep()).isEqualTo(second);
        rig.advance(second);
        ScriptedWorker doomed = rig.worker("mail");
        assertThat(doomed.claimAll()).containsExactly(jobs.getFirst());
        rig.lose(doomed);
        assertThat(worker.claimAll()).as("another tries").hasSize(1);
        assertThat(worker.claimAll()).isEmpty();
        JobId probe = worker.holding().getFirst();
        assertThat(worker.turn(9, worker.ended()).started())
                .as("the turn that brings the probe back starts the others")
                .hasSize(2);
        assertThat(rig.state(probe)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    default void aProbeThatEndedUnseenDoesNotShutAQueueForEver(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail"));
        worker.claim(1);
        rig.store().holds().pushBack(worker.lease(first), pushedBack("mail", Duration.ofSeconds(5)));
        worker.bring(first, pushedBack("mail", Duration.ofSeconds(5)));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claimAll()).containsExactly(first);
        rig.advance(Duration.ofHours(3));
        rig.enqueue(3, job("mail"));
        assertThat(worker.claim(1)).as("it is not looked at any more").hasSize(1);
        worker.finishAll();
        rig.policy("queue mail", "concurrency 5");
        assertThat(worker.claimAll()).hasSize(2);
    }

    @Test
    default void aJobShutsAGateOrQueueThatItDoesNotPassAndWaitsAsLong(Rig rig) {
        rig.policy("gate api", "concurrency 5; back-off 4s x2 max 10m");
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId id = rig.enqueue(job("mail"));
        assertThat(worker.claim(1)).containsExactly(id);
        HoldStore holds = rig.store().holds();
        var byQueue = holds.pushBack(worker.lease(id), pushedBack("video", MINUTE));
        assertThat(byQueue.at()).isEqualTo(GateKey.queue("video"));
        var byGate = holds.pushBack(worker.lease(id), pushedBack("api", Duration.ofSeconds(1)));
        assertThat(byGate.at()).isEqualTo(GateKey.gate("api"));
        assertThat(byGate.span()).as("its back-off is longer").isEqualTo(Duration.ofSeconds(4));
        worker.bring(id, pushedBack("api", byGate.span()));
        assertThat(rig.status(id).leases().attempt()).isZero();
        assertThat(rig.state(id)).isEqualTo(JobState.SCHEDULED);
        JobId gated = rig.enqueue(job("mail").gate("api"));
        JobId video = rig.enqueue(job("video"));
        assertThat(worker.claimAll()).isEmpty();
        rig.advance(Duration.ofSeconds(4));
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(id, gated);
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
        rig.advance(MINUTE);
        assertThat(worker.claimAll()).containsExactly(video);
    }

    @Test
    default void aNameThatNothingHasShutsNothingAndTheJobWaitsAllTheSame(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail"));
        worker.claim(1);
        var pushed = rig.store().holds().pushBack(worker.lease(id), pushedBack("opneai", MINUTE));
        assertThat(pushed.isHeld()).isFalse();
        assertThat(pushed.isGone()).isFalse();
        worker.bring(id, pushedBack("opneai", MINUTE));
        assertThat(rig.store().overview(100).gates()).isEmpty();
        assertThat(rig.status(id).leases().attempt()).isZero();
        assertThat(worker.sleep()).isEqualTo(MINUTE);
        rig.advance(MINUTE);
        assertThat(worker.claimAll()).containsExactly(id);
    }

    @Test
    default void aWaitInThePastIsNowPlusBackOffAndAHugeOneIsCut(Rig rig) {
        rig.policy("gate api", "concurrency 5; back-off 4s x2 max 10m");
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("api"));
        worker.claim(1);
        HoldStore holds = rig.store().holds();
        assertThat(holds.pushBack(worker.lease(first), pushedBack("api", Duration.ofSeconds(-90)))
                        .span())
                .isEqualTo(Duration.ofSeconds(4));
        assertThat(holds.pushBack(worker.lease(first), pushedBack("api", Duration.ofSeconds(Long.MAX_VALUE)))
                        .span())
                .isEqualTo(Duration.ofDays(366));
    }

    @Test
    default void aNameMeansAGateBeforeAQueueOfThatName(Rig rig) {
        HoldStore holds = rig.store().holds();
        assertThat(holds.named("api")).as("unknown").isEqualTo(GateKey.gate("api"));
        rig.enqueue(job("api"));
        assertThat(holds.named("api")).as("a queue with a job").isEqualTo(GateKey.queue("api"));
        rig.worker("served");
        assertThat(holds.named("served")).isEqualTo(GateKey.queue("served"));
        rig.policy("queue limited*", "concurrency 1");
        assertThat(holds.named("limited:a")).isEqualTo(GateKey.queue("limited:a"));
        rig.policy("gate api", "concurrency 1");
        assertThat(holds.named("api")).isEqualTo(GateKey.gate("api"));
    }
}
