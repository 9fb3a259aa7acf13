package dev.headgate.proof.contract;

import static dev.headgate.proof.contract.MachineContract.history;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.spi.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** State machines whose entry actions fail, whose workers die, and which run out of budget. */
public interface MachineFailureContract extends StoreFixture {
    /** Counts what was done. */
    record Tally(int count, String last) {
        Tally plus(String what) {
            return new Tally(count + 1, what);
        }
    }

    /** Waits for go, then works. */
    private static Machine<Tally> working(AtomicInteger ran, int failures) {
        return Machine.named("working", 1, Tally.class)
                .state("idle", s -> s.on("go").then(tally -> tally.plus("go")).goTo("busy"))
                .state(
                        "busy",
                        s -> s.onEntry(
                                        "work",
                                        (tally, step) -> {
                                            if (ran.incrementAndGet() <= failures) {
                                                throw new IllegalStateException("no luck");
                                            }
                                            return tally.plus("work");
                                        },
                                        o -> o.attempts(3).cost(2))
                                .on("rest")
                                .goTo("idle"))
                .initial("idle")
                .build();
    }

    @Test
    default void anEntryActionIsTriedAgain(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Machine<Tally> machine = working(ran, 2);
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        play.machines().send(id, "go");
        for (int i = 0; i < 3; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(ran).hasValue(3);
        assertThat(play.machines().data(id, machine)).isEqualTo(new Tally(2, "work"));
    }

    @Test
    default void anEntryActionThatFailsForGoodFailsTheInstanceWhichCanBeRetried(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Machine<Tally> machine = working(ran, 3);
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        play.machines().send(id, "go");
        for (int i = 0; i < 4; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.FAILED);
        assertThat(play.machines().status(id).position().state()).isEqualTo("busy");
        assertThat(play.machines().status(id).life().detail()).isEqualTo("state 'busy', entry action 'work': no luck");
        assertThat(play.workflows().retry(id, "luck is back")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.AWAITING);
        assertThat(play.machines().data(id, machine)).isEqualTo(new Tally(2, "work"));
    }

    Machine<Tally> CAREFUL = Machine.named("careful", 1, Tally.class)
            .state(
                    "busy",
                    s -> s.onEntry("risk", (tally, step) -> {
                                if (tally.count() == 0) {
                                    throw new PermanentFailure("it broke");
                                }
                                return tally.plus("risk");
                            })
                            .onFailure()
                            .then((tally, error) -> tally.plus(error))
                            .goTo("review")
                            .onDone()
                            .when(tally -> tally.count() > 2)
                            .goTo("done")
                            .on("again")
                            .goTo("busy"))
            .state("review", s -> s.on("again").goTo("busy"))
            .finalState("done", s -> s.onEntry("thank", (tally, step) -> tally.plus("thanks")))
            .initial("busy")
            .build();

    @Test
    default void aFailureMayLeadToAState(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(CAREFUL);
        RunId id = play.machines().start(CAREFUL, new Tally(0, "")).id();
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("review");
        assertThat(play.machines().data(id, CAREFUL)).isEqualTo(new Tally(1, "it broke"));
        assertThat(history(play, id))
                .containsExactly("STARTED busy/risk", "STEP_FAILED busy/risk: it broke", "ENTERED review");
    }

    @Test
    default void anEntryActionMayLeadOnByItself(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(CAREFUL);
        RunId id = play.machines().start(CAREFUL, new Tally(1, "")).id();
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("busy");
        play.machines().send(id, "again");
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("done");
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.machines().data(id, CAREFUL)).isEqualTo(new Tally(4, "thanks"));
    }

    @Test
    default void aWorkerThatDiesBetweenAnEventAndItsEntryActionLosesNeither(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Machine<Tally> machine = working(ran, 0);
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        play.machines().send(id, "go", null, "once");
        // Dies when it has decided on the event, before it could say so.
        List<EndedLease> decided = play.claimed();
        rig.lose(play.worker());
        play.worker().register();
        assertThat(play.machines().status(id).position().state()).isEqualTo("idle");
        // Takes the event, and dies in the entry action.
        play.worker().turn(0, play.claimed().toArray(EndedLease[]::new));
        assertThat(play.machines().status(id).position().action()).isEqualTo("work");
        List<EndedLease> worked = play.claimed();
        rig.lose(play.worker());
        play.worker().register();
        play.all();
        assertThat(ran).hasValue(2);
        assertThat(play.machines().data(id, machine)).isEqualTo(new Tally(2, "work"));
        // What the dead one says now counts for nothing.
        play.worker().turn(0, decided.toArray(EndedLease[]::new));
        play.worker().turn(0, worked.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.machines().data(id, machine)).isEqualTo(new Tally(2, "work"));
        assertThat(history(play, id))
                .containsExactly("STARTED idle", "SIGNALLED idle: go (once)", "ENTERED busy/work", "ENTERED busy");
    }

    @Test
    default void aTimerThatRingsTogetherWithAnEventLosesNoEvent(Rig rig) {
        Machine<Tally> machine = Machine.named("both", 1, Tally.class)
                .state(
                        "first",
                        s -> s.after(Duration.ofMinutes(1))
                                .goTo("second")
                                .on("tick")
                                .then(tally -> tally.plus("first"))
                                .stay())
                .state(
                        "second",
                        s -> s.on("tick").then(tally -> tally.plus("second")).stay())
                .initial("first")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        rig.advance(Duration.ofMinutes(1));
        play.machines().send(id, "tick");
        // Both are decided before either is applied, in one turn.
        List<EndedLease> both = play.claimed();
        assertThat(both).hasSize(2);
        play.worker().turn(0, both.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("second");
        assertThat(play.machines().data(id, machine).count()).isEqualTo(1);
        assertThat(play.machines().pending(id)).isEmpty();
    }

    @Test
    default void aMachineThatRunsAwayStopsAtItsBudgetAndGoesOnWithMore(Rig rig) {
        Machine<Tally> machine = Machine.named("restless", 1, Tally.class)
                .state(
                        "left",
                        s -> s.onEntry("step", (tally, step) -> tally.plus("l"))
                                .onDone()
                                .goTo("right"))
                .state(
                        "right",
                        s -> s.onEntry("back", (tally, step) -> tally.plus("r"))
                                .onDone()
                                .when(tally -> tally.count() < 10)
                                .goTo("left")
                                .onDone()
                                .goTo("end"))
                .finalState("end")
                .initial("left")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines()
                .start(machine, new Tally(0, ""), run -> run.budget(b -> b.maxTransitions(5)))
                .id();
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.machines().status(id).life().detail()).contains("maxTransitions is 5");
        assertThat(play.machines().data(id, machine).count()).isEqualTo(5);
        play.workflows().topUp(id, Guardrail.TRANSITIONS, 100, "go on");
        play.workflows().resume(id, "go on");
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.machines().data(id, machine).count()).isEqualTo(10);
    }

    @Test
    default void anEventSentWhileItIsPausedIsTakenAfterwards(Rig rig) {
        Machine<Tally> machine = working(new AtomicInteger(), 0);
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        play.workflows().pause(id, "wait");
        play.machines().send(id, "go");
        assertThat(play.all()).isZero();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.PAUSED);
        play.workflows().resume(id, "go on");
        play.all();
        assertThat(play.machines().data(id, machine)).isEqualTo(new Tally(2, "work"));
    }

    @Test
    default void theNumberOfAnEventIsNeverGivenAgain(Rig rig) {
        Backend backend = rig.store().backend();
        long first = backend.write(tx -> tx.frames().addSignal(7, "event", "1", tx.now()));
        backend.write(tx -> tx.frames().takeSignals(List.of(first)));
        long second = backend.write(tx -> tx.frames().addSignal(7, "event", "2", tx.now()));
        // Or what was decided about the first could use up the second.
        assertThat(second).isGreaterThan(first);
    }

    @Test
    default void whatIsPrunedLeavesNoKeysAndNoEvents(Rig rig) {
        Machine<Tally> machine = working(new AtomicInteger(), 0);
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        play.machines().send(id, "rest", null, "r-1");
        play.machines().cancel(id, "enough");
        play.all();
        rig.advance(Duration.ofDays(1));
        Backend backend = rig.store().backend();
        assertThat(backend.<Boolean>write(tx -> tx.frames().addSignalKey(id.value(), "r-1")))
                .isFalse();
        assertThat(play.workflows().prune(Duration.ofHours(1))).isEqualTo(1);
        assertThat(play.machines().find(id)).isEmpty();
        List<Inbox> left = backend.read(tx -> tx.frames().signals(id.value(), 10));
        assertThat(left).isEmpty();
        assertThat(backend.<Boolean>write(tx -> tx.frames().addSignalKey(id.value(), "r-1")))
                .isTrue();
    }

    @Test
    default void timersOfStatesThatWereLeftDoNotPileUp(Rig rig) {
        Machine<Tally> machine = Machine.named("pingpong", 1, Tally.class)
                .state(
                        "ping",
                        s -> s.on("hit").goTo("pong").after(Duration.ofDays(30)).goTo("lost"))
                .state(
                        "pong",
                        s -> s.on("hit").goTo("ping").after(Duration.ofDays(30)).goTo("lost"))
                .finalState("lost")
                .initial("ping")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId id = play.machines().start(machine, new Tally(0, "")).id();
        for (int i = 0; i < 300; i++) {
            play.machines().send(id, "hit");
            play.all();
        }
        assertThat(play.machines().status(id).position().state()).isEqualTo("ping");
        assertThat(rig.store().list(JobFilter.all().state(JobState.SCHEDULED).limit(1_000)))
                .hasSizeLessThan(70);
    }
}
