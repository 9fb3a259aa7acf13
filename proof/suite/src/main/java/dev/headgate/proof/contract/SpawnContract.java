package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that a run starts and does not wait for, and waits for signals that go on without one. */
public interface SpawnContract extends StoreFixture {
    Workflow<Integer, Integer> MAIL = Workflow.named("mail", 1, Integer.class)
            .then("send", (n, step) -> n)
            .build();

    Workflow<Integer, Integer> NEWS = Workflow.named("news", 1, Integer.class)
            .spawnEach(
                    "letters", MAIL, count -> IntStream.range(0, count).boxed().toList())
            .then("tell", (count, step) -> count + 1)
            .build();

    Workflow<Integer, String> ASK = Workflow.named("ask", 1, Integer.class)
            .awaitSignal(
                    "answer",
                    Integer.class,
                    String.class,
                    Duration.ofHours(1),
                    (n, answer) -> "answer " + answer,
                    n -> "default " + 10 / n)
            .then("note", (text, step) -> text + " noted")
            .build();

    private static List<RunId> listed(WorkflowRig play, RunFilter filter) {
        return play.workflows().list(filter).stream().map(RunStatus::id).toList();
    }

    @Test
    default void spawnedRunsAreFoundByTheirWorkflow(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(NEWS);
        RunId own = play.workflows().start(MAIL, 0).id();
        RunId id = play.workflows().start(NEWS, 3).id();
        List<RunId> spawned = play.workflows().tree(id).stream()
                .filter(run -> run.origin().parent() != null)
                .map(RunStatus::id)
                .toList();
        assertThat(spawned).hasSize(3);
        RunFilter mails = RunFilter.all().workflow("mail");
        assertThat(listed(play, mails))
                .as("newest first")
                .containsExactly(spawned.get(2), spawned.get(1), spawned.get(0), own);
        assertThat(listed(play, mails.limit(2))).containsExactly(spawned.get(2), spawned.get(1));
        assertThat(listed(play, mails.before(spawned.get(1)))).containsExactly(spawned.get(0), own);
        assertThat(listed(play, RunFilter.all())).containsExactly(id, own);
        assertThat(listed(play, RunFilter.all().workflow("news"))).containsExactly(id);
        play.workflows().pause(id, "wait");
        assertThat(listed(play, mails.state(RunState.PAUSED))).hasSize(3);
        assertThat(listed(play, mails.state(RunState.RUNNING))).containsExactly(own);
        play.workflows().resume(id, "go");
        play.workflows().cancel(spawned.get(0), "not this one");
        assertThat(listed(play, mails.state(RunState.CANCELLING))).containsExactly(spawned.get(0));
        play.all();
        assertThat(play.workflows().result(id, NEWS)).isEqualTo(4);
        assertThat(listed(play, mails.state(RunState.CANCELLED))).containsExactly(spawned.get(0));
        assertThat(listed(play, mails.state(RunState.SUCCEEDED))).containsExactly(spawned.get(2), spawned.get(1), own);
    }

    @Test
    default void moreRunsThanOneTransactionMakesAreAllSpawned(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(NEWS);
        RunId id = play.workflows()
                .start(NEWS, 1_001, run -> run.budget(b -> b.maxChildRuns(1_001)))
                .id();
        RunId none = play.workflows().start(NEWS, 0).id();
        play.all();
        assertThat(play.workflows().result(none, NEWS)).isEqualTo(1);
        assertThat(play.workflows().result(id, NEWS)).isEqualTo(1_002);
        assertThat(play.workflows().tree(id))
                .hasSize(1_002)
                .allSatisfy(run -> assertThat(run.state()).isEqualTo(RunState.SUCCEEDED));
    }

    @Test
    default void aWaitWithADefaultGoesOnWithItWhenItsTimeIsUp(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ASK);
        RunId asked = play.workflows().start(ASK, 5).id();
        RunId silent = play.workflows().start(ASK, 5).id();
        RunId broken = play.workflows().start(ASK, 0).id();
        play.all();
        rig.advance(Duration.ofHours(1).minusNanos(1_000));
        play.workflows().signal(asked, "answer", 7);
        assertThat(play.all())
                .as("what takes the signal, and the step behind it")
                .isEqualTo(2);
        rig.advance(Duration.ofNanos(1_000));
        play.all();
        assertThat(play.workflows().result(asked, ASK)).isEqualTo("answer 7 noted");
        assertThat(play.workflows().result(silent, ASK)).isEqualTo("default 2 noted");
        assertThat(play.story(silent))
                .containsExactly("STARTED answer", "TIMED answer", "ENTERED note", "SUCCEEDED note");
        assertThat(play.workflows().timeline(silent).get(1).detail()).isEqualTo("no signal 'answer' came in time");
        assertThat(play.state(broken)).isEqualTo(RunState.FAILED);
        assertThat(play.status(broken).life().detail()).contains("what follows could not be decided: / by zero");
    }
}
