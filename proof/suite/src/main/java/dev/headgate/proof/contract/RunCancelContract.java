package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.RunEndedException;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.Pause;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A run that is being cancelled says so, and takes nothing more; nor does one that has ended. */
public interface RunCancelContract extends StoreFixture {
    Workflow<Integer, Integer> TRIP = Workflow.named("trip", 1, Integer.class)
            .then("book", (n, step) -> n)
            .compensate("unbook", (n, step) -> n, s -> s.gate("desk"))
            .awaitSignal("go", Integer.class, Integer::sum)
            .then("travel", (n, step) -> n)
            .build();

    private static List<RunId> listed(WorkflowRig play, RunState state) {
        return play.workflows().list(RunFilter.all().state(state)).stream()
                .map(RunStatus::id)
                .toList();
    }

    @Test
    default void aRunIsCancellingUntilItsCompensationsHaveRun(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TRIP);
        RunId id = play.workflows().start(TRIP, 1).id();
        RunId other = play.workflows().start(TRIP, 2).id();
        play.all();
        rig.store().policyStore().pause(Pause.gate("desk"), "ada", "a test");
        assertThat(play.workflows().cancel(id, "rain")).isEqualTo(OperationResult.DONE);
        assertThat(play.state(id)).as("at once, before any worker has looked").isEqualTo(RunState.CANCELLING);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.CANCELLING);
        assertThat(play.story(id)).endsWith("UNWINDING unbook");
        assertThat(listed(play, RunState.CANCELLING)).containsExactly(id);
        assertThat(listed(play, RunState.RUNNING)).isEmpty();
        assertThat(listed(play, RunState.AWAITING)).containsExactly(other);
        assertThat(play.workflows().cancel(id, "again")).isEqualTo(OperationResult.WRONG_STATE);
        assertThat(play.workflows().retry(id, "again")).isEqualTo(OperationResult.WRONG_STATE);
        assertThat(play.story(id)).filteredOn(line -> line.startsWith("CANCEL")).hasSize(1);
        play.workflows().pause(id, "wait");
        assertThat(play.state(id)).isEqualTo(RunState.PAUSED);
        assertThat(listed(play, RunState.PAUSED)).containsExactly(id);
        assertThat(listed(play, RunState.CANCELLING)).isEmpty();
        play.workflows().resume(id, "go on");
        rig.store().policyStore().resume(Pause.gate("desk"));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.CANCELLED);
        assertThat(listed(play, RunState.CANCELLED)).containsExactly(id);
        assertThat(listed(play, RunState.CANCELLING)).isEmpty();
    }

    @Test
    default void aRunThatIsCancelledTakesNoSignalsUntilItIsRetried(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TRIP);
        RunId id = play.workflows().start(TRIP, 1).id();
        play.all();
        play.workflows().cancel(id, "rain");
        String what = "signal 'go' to run %s of 'trip': expected a run under way, it is ".formatted(id);
        assertThatThrownBy(() -> play.workflows().signal(id, "go", 5))
                .isInstanceOf(RunEndedException.class)
                .hasMessage(what + "CANCELLING; nothing was sent");
        play.all();
        assertThatThrownBy(() -> play.workflows().signal(id, "go", 6))
                .isInstanceOf(RunEndedException.class)
                .hasMessage(what + "CANCELLED; nothing was sent");
        play.workflows().retry(id, "sun");
        play.all();
        assertThat(play.state(id)).as("none of them was kept").isEqualTo(RunState.AWAITING);
        play.workflows().signal(id, "go", 7);
        play.all();
        assertThat(play.workflows().result(id, TRIP)).isEqualTo(8);
        assertThatThrownBy(() -> play.workflows().signal(id, "go", 8)).hasMessage(what + "SUCCEEDED; nothing was sent");
    }

    @Test
    default void anInstanceThatIsCancelledTakesNoEvents(Rig rig) {
        Machine<Integer> lamp = Machine.named("lamp", 1, Integer.class)
                .state("off", s -> s.on("switch").goTo("on"))
                .finalState("on")
                .initial("off")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(lamp);
        RunId id = play.machines().start(lamp, 1).id();
        play.workflows().cancel(id, "dark");
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.CANCELLING);
        assertThatThrownBy(() -> play.machines().send(id, "switch"))
                .isInstanceOf(RunEndedException.class)
                .hasMessageEndingWith("expected one under way, it is CANCELLING; nothing was sent");
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.CANCELLED);
        assertThat(play.machines().pending(id)).isEmpty();
    }

    @Test
    default void aRewindToAStepItHasNotEnteredNamesThoseItHas(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(TRIP);
        RunId id = play.workflows().start(TRIP, 1).id();
        play.all();
        List<String> before = play.story(id);
        assertThatThrownBy(() -> play.workflows().rewind(id, "travel", "again"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rewind of run %s: expected a step that it has entered, one of [book, go], got 'travel';"
                                .formatted(id)
                        + " nothing was changed");
        assertThat(play.story(id)).isEqualTo(before);
        assertThat(play.workflows().rewind(id, "book", "again")).isEqualTo(OperationResult.DONE);
        assertThat(Objects.requireNonNull(play.status(id).position().step())).isEqualTo("book");
    }
}
