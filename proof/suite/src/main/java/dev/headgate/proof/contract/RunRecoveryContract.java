package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.proof.contract.RunControlContract.Trail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run comes to its end whatever happened to its queue or to the callers that paused, resumed or cancelled it. */
public interface RunRecoveryContract extends StoreFixture {
    @Test
    default void aResumeThatWasCutOffHalfWayIsMadeWholeByTheNext(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(RunControlContract.ABC);
        RunId id =
                play.workflows().start(RunControlContract.ABC, new Trail("-")).id();
        play.workflows().pause(id, "wait");
        assertThat(play.all()).isZero();
        RunStore cutOff = new RunStore(new SingleWrite(rig.store().backend()));
        assertThatThrownBy(() -> cutOff.resume(id, "go")).isInstanceOf(StoreUnavailableException.class);
        assertThat(play.all()).isZero();
        assertThat(play.workflows().resume(id, "go, I said")).isEqualTo(OperationResult.WRONG_STATE);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void aTreeIsResumedByTheNumberOfAnyRunInIt(Rig rig) {
        Workflow<Trail, Trail> above = Workflow.named("above", 1, Trail.class)
                .child("below", RunControlContract.ABC, trail -> trail, (trail, below) -> below)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(above);
        rig.store().hold(GateKey.gate("g"), Duration.ofSeconds(10), "until all stand where they should");
        RunId id = play.workflows().start(above, new Trail("-")).id();
        play.all();
        RunId child = play.workflows().tree(id).getLast().id();
        play.workflows().pause(id, "wait");
        rig.advance(Duration.ofSeconds(11));
        assertThat(play.all()).isZero();
        assertThat(play.workflows().resume(child, "go")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void aRunThatIsBeingCancelledEndsAlsoAfterItsWallTime(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(RunControlContract.ABC);
        RunId id = play.workflows()
                .start(
                        RunControlContract.ABC,
                        new Trail("-"),
                        run -> run.budget(b -> b.maxWallTime(Duration.ofSeconds(10))))
                .id();
        play.workflows().cancel(id, "enough");
        // Its timer is older than what ends it, and so comes first.
        rig.advance(Duration.ofSeconds(11));
        play.slots(1).all();
        assertThat(play.state(id)).isEqualTo(RunState.CANCELLED);
    }

    @Test
    default void aRunThatMakesGoodAgainEndsAlsoWhenItsBudgetCoversNoOtherAttempt(Rig rig) {
        Workflow<Trail, Trail> saga = Workflow.named("saga", 1, Trail.class)
                .then("pay", (trail, step) -> trail.plus("p"))
                .compensate("refund", (trail, step) -> {
                    throw new IllegalStateException("the bank is closed");
                })
                .then("ship", (trail, step) -> {
                    throw new PermanentFailure("no truck");
                })
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(saga);
        RunId id = play.workflows()
                .start(saga, new Trail("-"), run -> run.budget(b -> b.maxAttempts(3)))
                .id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail())
                .startsWith(
                        "step 'ship': no truck (and another attempt for step 'ship' was left out: maxAttempts is 3");
        rig.advance(Duration.ofHours(1));
        play.all();
        assertThat(rig.store().list(JobFilter.all()).stream()
                        .filter(job -> !job.state().isTerminal()))
                .as("the job that would have tried again is swept away")
                .isEmpty();
    }

    @Test
    default void aStepThatIsTriedAgainAtOnceIsPaidForBeforeItStarts(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Workflow<Trail, Trail> eager = Workflow.named("eager", 1, Trail.class)
                .then("call", (trail, step) -> {
                    ran.incrementAndGet();
                    throw RetryLater.after(Duration.ZERO, "not yet");
                })
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(eager);
        RunId id = play.workflows()
                .start(eager, new Trail("-"), run -> run.budget(b -> b.maxAttempts(3)))
                .id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(ran).hasValue(3);
    }

    @Test
    default void aStepIsNotDroppedForACapThatWasSetWhileItWaited(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(RunControlContract.ABC);
        RunId id =
                play.workflows().start(RunControlContract.ABC, new Trail("-")).id();
        rig.policy("queue default", "backlog 1 drop-oldest");
        rig.enqueue(job("default"));
        rig.enqueue(job("default"));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }
}
