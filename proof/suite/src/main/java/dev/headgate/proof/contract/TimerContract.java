package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timers of state machines and of workflows that wait: what was sent before a timer is due goes first, however late a worker is. */
public interface TimerContract extends StoreFixture {
    Duration TIMER = Duration.ofHours(1);
    Duration MICRO = Duration.ofNanos(1_000);

    /** An order that expires after an hour unless it was paid; notes leave it where it is. */
    Machine<String> TIMED_ORDER = Machine.named("timed-order", 1, String.class)
            .state(
                    "new",
                    s -> s.on("pay")
                            .goTo("paid")
                            .on("note", String.class)
                            .then((trail, note) -> trail + note)
                            .stay()
                            .on("refused", String.class)
                            .when((trail, why) -> false)
                            .goTo("paid")
                            .after(TIMER)
                            .goTo("expired"))
            .state(
                    "paid",
                    s -> s.on("note", String.class)
                            .then((trail, note) -> trail + note)
                            .stay())
            .finalState("expired")
            .initial("new")
            .build();

    Workflow<String, String> TIMED_APPROVAL = Workflow.named("timed-approval", 1, String.class)
            .awaitSignal("answer", String.class, TIMER, (question, answer) -> question + answer)
            .then("done", (text, step) -> text + "!")
            .build();

    /** In which order what was started together comes back: each by itself, or all in one turn. */
    enum Back {
        FIRST_FIRST,
        LAST_FIRST,
        TOGETHER;

        /** Runs everything that can start now, and what follows from it. */
        void all(WorkflowRig play) {
            List<EndedLease> started = play.claimed();
            while (!started.isEmpty() && this != TOGETHER) {
                List<EndedLease> order = this == LAST_FIRST ? started.reversed() : started;
                order.forEach(each -> play.worker().turn(0, each));
                started = play.claimed();
            }
            play.worker().turn(0, started.toArray(EndedLease[]::new));
            play.all();
        }
    }

    @Test
    default void anEventThatWasSentBeforeATimerWasDueGoesFirst(Rig rig) {
        for (Back back : Back.values()) {
            WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER);
            RunId id = play.machines().start(TIMED_ORDER, "").id();
            play.machines().send(id, "note", "a");
            play.machines().send(id, "note", "b");
            rig.advance(TIMER);
            play.machines().send(id, "pay"); // at the very instant
            rig.advance(TIMER);
            back.all(play);
            assertThat(play.machines().status(id).position().state())
                    .as("%s", back)
                    .isEqualTo("paid");
            assertThat(play.machines().data(id, TIMED_ORDER)).isEqualTo("ab");
        }
    }

    @Test
    default void aTimerRingsBehindEventsThatLeaveItsState(Rig rig) {
        for (Back back : Back.values()) {
            WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER);
            RunId id = play.machines().start(TIMED_ORDER, "").id();
            play.machines().send(id, "note", "a");
            play.machines().send(id, "refused", "");
            play.machines().send(id, "refused", "again");
            play.machines().send(id, "note", "b");
            rig.advance(TIMER.multipliedBy(2));
            back.all(play);
            assertThat(play.machines().status(id).position().state())
                    .as("%s", back)
                    .isEqualTo("expired");
            assertThat(play.machines().data(id, TIMED_ORDER)).isEqualTo("ab");
        }
    }

    @Test
    default void aNoteThatIsHandledLateDoesNotPutOffTheTimer(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER).slots(1);
        RunId id = play.machines().start(TIMED_ORDER, "").id();
        Instant due = rig.time().now().plus(TIMER);
        play.machines().send(id, "note", "a");
        play.machines().send(id, "note", "b");
        rig.advance(TIMER.multipliedBy(2));
        play.worker().turn(0, play.claimed().toArray(EndedLease[]::new));
        assertThat(play.machines().status(id).position().state()).isEqualTo("new");
        assertThat(play.machines().status(id).position().timerAt()).isEqualTo(due);
    }

    @Test
    default void anEventThatComesWhileATimerRingsGoesFirstIfItWasSentBefore(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER);
        RunId id = play.machines().start(TIMED_ORDER, "").id();
        play.all();
        rig.advance(TIMER);
        List<EndedLease> rung = play.claimed(); // decided without the event
        play.machines().send(id, "pay");
        play.worker().turn(0, rung.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("paid");
    }

    @Test
    default void anEventThatIsSentAfterATimerHasRungIsTooLate(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER);
        RunId id = play.machines().start(TIMED_ORDER, "").id();
        play.all();
        rig.advance(TIMER.plus(MICRO));
        List<EndedLease> rung = play.claimed();
        play.machines().send(id, "pay");
        play.worker().turn(0, rung.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("expired");
    }

    @Test
    default void aSignalThatWasSentBeforeAWaitTimedOutCounts(Rig rig) {
        for (Back back : Back.values()) {
            WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_APPROVAL);
            RunId id = play.workflows().start(TIMED_APPROVAL, "ready?").id();
            play.all();
            rig.advance(TIMER);
            play.workflows().signal(id, "answer", " yes");
            rig.advance(TIMER);
            back.all(play);
            assertThat(play.state(id)).as("%s", back).isEqualTo(RunState.SUCCEEDED);
            assertThat(play.workflows().result(id, TIMED_APPROVAL)).isEqualTo("ready? yes!");
        }
    }

    @Test
    default void aSignalThatComesWhileAWaitTimesOutCountsIfItWasSentBefore(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_APPROVAL);
        RunId id = play.workflows().start(TIMED_APPROVAL, "ready?").id();
        play.all();
        rig.advance(TIMER);
        List<EndedLease> rung = play.claimed();
        play.workflows().signal(id, "answer", " yes");
        play.worker().turn(0, rung.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void noSignalInTimeStillFails(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_APPROVAL);
        RunId id = play.workflows().start(TIMED_APPROVAL, "ready?").id();
        play.all();
        rig.advance(TIMER);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
    }

    @Test
    default void ofManyThatWerePaidNoneExpires(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TIMED_ORDER).slots(50);
        List<RunId> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            RunId id = play.machines().start(TIMED_ORDER, "").id();
            for (int note = 0; note < i % 3; note++) {
                play.machines().send(id, "note", ".");
            }
            play.machines().send(id, "pay");
            ids.add(id);
        }
        rig.advance(TIMER.plusSeconds(1));
        Back.LAST_FIRST.all(play);
        assertThat(ids)
                .extracting(id -> play.machines().status(id).position().state())
                .containsOnly("paid");
    }
}
