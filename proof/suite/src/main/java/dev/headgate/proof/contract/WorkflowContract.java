package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.RunEndedException;
import dev.headgate.UnknownRunException;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workflows: steps are jobs, each counts once, and waiting holds nothing. */
public interface WorkflowContract extends StoreFixture {
    /** A state that shows where it has been. */
    record Trail(String path) {
        Trail plus(String step) {
            return new Trail(path + step);
        }
    }

    record Paid(int cents) {}

    Workflow<Trail, Trail> ABC = Workflow.named("abc", 1, Trail.class)
            .then("a", (trail, step) -> trail.plus("a"))
            .then("b", (trail, step) -> trail.plus("b"))
            .then("c", (trail, step) -> trail.plus("c"))
            .build();

    @Test
    default void stepsRunInOrderAndHandTheStateOn(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        assertThat(play.status(id).position().step()).isEqualTo("a");
        assertThat(play.all()).isEqualTo(3);
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("-abc"));
        assertThatThrownBy(() -> play.workflows().result(id, PAY))
                .hasMessageContaining("result of run %s: expected a run of 'pay', it is one of 'abc'".formatted(id));
        assertThat(play.story(id)).containsExactly("STARTED a", "ENTERED b", "ENTERED c", "SUCCEEDED c");
        assertThat(play.status(id).life().endedAt()).isEqualTo(rig.time().now());
    }

    @Test
    default void stepsPassTheGatesTheyName(Rig rig) {
        Workflow<Trail, Trail> gated = Workflow.named("gated", 1, Trail.class)
                .then("a", (trail, step) -> trail.plus("a"), s -> s.gate("slow"))
                .then(
                        "b",
                        (trail, step) -> trail.plus("b"),
                        (trail, s) -> s.gate("slow").gate("path:" + trail.path()))
                .build();
        rig.policy("gate slow", "rate 1/10s burst 1");
        WorkflowRig play = new WorkflowRig(rig, "default").register(gated);
        RunId id = play.workflows().start(gated, new Trail("-")).id();
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.status(id).position().step()).isEqualTo("b");
        assertThat(rig.store()
                        .list(JobFilter.all().state(JobState.QUEUED))
                        .getFirst()
                        .gates())
                .containsExactly("path:-a", "slow");
        rig.advance(Duration.ofSeconds(10));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void aSleepHoldsNothingAndEndsOnTime(Rig rig) {
        Workflow<Trail, Trail> sleepy = Workflow.named("sleepy", 1, Trail.class)
                .sleep("doze", Duration.ofHours(1))
                .then("a", (trail, step) -> trail.plus("a"))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(sleepy);
        RunId id = play.workflows().start(sleepy, new Trail("-")).id();
        assertThat(play.all()).isZero();
        assertThat(play.state(id)).isEqualTo(RunState.SLEEPING);
        assertThat(play.status(id).position().until())
                .isEqualTo(rig.time().now().plus(Duration.ofHours(1)));
        assertThat(play.worker().sleep()).isEqualTo(Duration.ofHours(1));
        rig.advance(Duration.ofHours(1).minusNanos(1_000));
        assertThat(play.all()).isZero();
        rig.advance(Duration.ofNanos(1_000));
        play.all();
        assertThat(play.workflows().result(id, sleepy)).isEqualTo(new Trail("-a"));
    }

    Workflow<Trail, Trail> PAY = Workflow.named("pay", 1, Trail.class)
            .then("ask", (trail, step) -> trail.plus("?"))
            .awaitSignal("paid", Paid.class, (trail, paid) -> trail.plus("" + paid.cents()))
            .then("thank", (trail, step) -> trail.plus("!"))
            .build();

    @Test
    default void aSignalWakesTheRunThatWaitsForIt(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(PAY);
        RunId id = play.workflows().start(PAY, new Trail("")).id();
        RunId other = play.workflows().start(PAY, new Trail("")).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.AWAITING);
        assertThat(play.status(id).position().awaits()).isEqualTo("paid");
        assertThat(play.worker().sleep()).isNull();
        play.workflows().signal(id, "paid", new Paid(7));
        play.all();
        assertThat(play.workflows().result(id, PAY)).isEqualTo(new Trail("?7!"));
        assertThat(play.state(other)).isEqualTo(RunState.AWAITING);
        assertThat(play.story(id))
                .containsExactly("STARTED ask", "ENTERED paid", "SIGNALLED paid", "ENTERED thank", "SUCCEEDED thank");
    }

    @Test
    default void aSignalThatComesFirstIsKept(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(PAY);
        RunId id = play.workflows().start(PAY, new Trail("")).id();
        play.workflows().signal(id, "paid", new Paid(1));
        play.workflows().signal(id, "paid", new Paid(2));
        play.all();
        assertThat(play.workflows().result(id, PAY)).isEqualTo(new Trail("?1!"));
    }

    @Test
    default void anIdempotencyKeyStartsOneRun(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        var first = play.workflows().start(ABC, new Trail("1"), run -> run.key("order-7"));
        var second = play.workflows().start(ABC, new Trail("2"), run -> run.key("order-7"));
        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(second.id()).isEqualTo(first.id());
        play.all();
        assertThat(play.workflows()
                        .start(ABC, new Trail("3"), run -> run.key("order-7"))
                        .id())
                .isEqualTo(first.id());
        assertThat(play.workflows().list(RunFilter.all())).hasSize(1);
        assertThat(play.workflows().result(first.id(), ABC)).isEqualTo(new Trail("1abc"));
    }

    @Test
    default void aStepThatIsRunTwiceCountsOnce(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        List<EndedLease> zombie = play.claimed();
        rig.lose(play.worker());
        play.worker().register();
        assertThat(play.all()).isEqualTo(3);
        play.worker().turn(0, zombie.toArray(EndedLease[]::new));
        assertThat(play.all()).isZero();
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("-abc"));
        assertThat(play.story(id)).containsExactly("STARTED a", "ENTERED b", "ENTERED c", "SUCCEEDED c");
    }

    @Test
    default void aStepThatFailsForGoodFailsTheRun(Rig rig) {
        Workflow<Trail, Trail> broken = Workflow.named("broken", 1, Trail.class)
                .then("a", (trail, step) -> trail.plus("a"))
                .then("b", (trail, step) -> {
                    throw new PermanentFailure("no such thing");
                })
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(broken);
        RunId id = play.workflows().start(broken, new Trail("-")).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).contains("step 'b'").contains("no such thing");
        assertThat(play.story(id)).containsExactly("STARTED a", "ENTERED b", "STEP_FAILED b", "FAILED b");
    }

    @Test
    default void aStepIsTriedAgainAsOftenAsItSays(Rig rig) {
        List<Integer> attempts = new ArrayList<>();
        Workflow<Trail, Trail> flaky = Workflow.named("flaky", 1, Trail.class)
                .then(
                        "a",
                        (trail, step) -> {
                            attempts.add(step.job().attempt());
                            if (step.job().attempt() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                            return trail.plus("a");
                        },
                        s -> s.attempts(3))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(flaky);
        RunId id = play.workflows().start(flaky, new Trail("-")).id();
        for (int i = 0; i < 3; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void aJobThatAnOperatorCancelsFailsItsRun(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        rig.store().cancel(rig.store().list(JobFilter.all()).getFirst().id());
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).contains("cancelled before it started");
    }

    @Test
    default void anotherShapeUnderTheSameVersionIsRefused(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        Workflow<Trail, Trail> changed = Workflow.named("abc", 1, Trail.class)
                .then("a", (trail, step) -> trail.plus("a"))
                .then("x", (trail, step) -> trail.plus("x"))
                .build();
        WorkflowRig later = new WorkflowRig(rig, "default");
        assertThatThrownBy(() -> later.register(changed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("workflow 'abc' version 1")
                .hasMessageContaining("entry 2: 'then x' where 'then b' was")
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> play.register(changed))
                .as("by the very process that had registered the other")
                .hasMessageContaining("entry 2: 'then x' where 'then b' was");
        assertThatThrownBy(() -> play.workflows().start(changed, new Trail("-")))
                .hasMessageContaining("entry 2: 'then x' where 'then b' was");
        assertThat(play.workflows().list(RunFilter.all())).isEmpty();
    }

    @Test
    default void aRunGoesOnWithTheVersionItBeganWith(Rig rig) {
        Workflow<Trail, Trail> next = Workflow.named("abc", 2, Trail.class)
                .then("a", (trail, step) -> trail.plus("A"))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(next);
        RunId old = play.workflows().start(ABC, new Trail("-")).id();
        RunId young = play.workflows().start(next, new Trail("-")).id();
        play.all();
        assertThat(play.workflows().result(young, next)).isEqualTo(new Trail("-A"));
        assertThat(play.state(old)).isEqualTo(RunState.RUNNING);
        play.register(ABC);
        play.all();
        assertThat(play.workflows().result(old, ABC)).isEqualTo(new Trail("-abc"));
    }

    @Test
    default void aSignalForAnUnknownOrEndedRunIsRefused(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        play.all();
        assertThatThrownBy(() -> play.workflows().signal(id, "paid", new Paid(1)))
                .isInstanceOf(RunEndedException.class)
                .hasMessageContaining("run %s of 'abc'".formatted(id))
                .hasMessageContaining("SUCCEEDED");
        assertThatThrownBy(() -> play.workflows().signal(RunId.of(4_711), "paid", new Paid(1)))
                .isInstanceOf(UnknownRunException.class)
                .hasMessageContaining("run 4711: there is no such run");
    }

    @Test
    default void aSignalThatNoStepAwaitsIsRefusedAndNotKept(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(PAY);
        RunId id = play.workflows().start(PAY, new Trail("-")).id();
        assertThatThrownBy(() -> play.workflows().signal(id, "payed", new Paid(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("signal 'payed' to run %s".formatted(id))
                .hasMessageContaining("which are [paid]; nothing was sent");
        play.workflows().signal(id, "paid", new Paid(1));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void runsAreListedByWorkflowAndState(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC).register(PAY);
        RunId abc = play.workflows().start(ABC, new Trail("-")).id();
        RunId pay = play.workflows().start(PAY, new Trail("-")).id();
        play.all();
        assertThat(play.workflows().list(RunFilter.all()).stream().map(run -> run.id()))
                .containsExactly(pay, abc);
        assertThat(play.workflows()
                        .list(RunFilter.all().workflow("abc"))
                        .getFirst()
                        .id())
                .isEqualTo(abc);
        assertThat(play.workflows()
                        .list(RunFilter.all().state(RunState.AWAITING))
                        .getFirst()
                        .id())
                .isEqualTo(pay);
    }

    @Test
    default void definitionsAreKnownWithoutTheirCode(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        assertThat(play.workflows().definitions()).singleElement().satisfies(stored -> {
            assertThat(stored).hasToString("abc@1");
            assertThat(stored.queue()).isEqualTo("default");
            assertThat(stored.steps()).containsExactly("then a", "then b", "then c");
        });
    }
}
