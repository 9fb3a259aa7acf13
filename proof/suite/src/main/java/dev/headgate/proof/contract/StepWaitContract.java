package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.UnknownRunException;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobId;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.Pause;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.run.RunStatus.Work.Stand;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A run says where its steps wait: at a gate, for a worker, for one that knows them. */
public interface StepWaitContract extends StoreFixture {
    Workflow<Integer, Integer> FETCH = Workflow.named("fetch", 1, Integer.class)
            .forEach(
                    "pages",
                    count -> IntStream.range(0, count).boxed().toList(),
                    Integer.class,
                    Integer.class,
                    (page, step) -> page,
                    s -> s.gate("site"))
            .ignoringResults()
            .build();

    Workflow<Integer, Integer> ONE = Workflow.named("one", 1, Integer.class)
            .then("only", (n, step) -> {
                if (n < 0) {
                    throw RetryLater.after(Duration.ofMinutes(1));
                }
                return n;
            })
            .build();

    Workflow<Integer, Integer> NAP = Workflow.named("nap", 1, Integer.class)
            .sleep("doze", Duration.ofHours(1))
            .build();

    private static Work work(WorkflowRig play, RunId id) {
        return Objects.requireNonNull(play.status(id).position().work());
    }

    private static List<String> said(List<Work> works) {
        return works.stream()
                .map(work -> "%d %s".formatted(work.jobs(), work.text()))
                .toList();
    }

    @Test
    default void itemsOfAFullGateWaitThereAndAreNotShownAsRunning(Rig rig) {
        rig.policy("gate site", "concurrency 2");
        WorkflowRig play = new WorkflowRig(rig, "default").register(FETCH);
        RunId id = play.workflows().start(FETCH, 7).id();
        RunId other = play.workflows().start(FETCH, 3).id();
        List<JobId> held = play.worker().claim(100);
        assertThat(held).as("what they wait for at the start").hasSize(2);
        List<RunStatus> items = play.workflows().tree(id).stream()
                .filter(part -> part.origin().parent() != null)
                .toList();
        assertThat(items).hasSize(7).extracting(RunStatus::state).containsOnly(RunState.RUNNING);
        assertThat(items)
                .extracting(
                        part -> Objects.requireNonNull(part.position().work()).text())
                .containsExactly(
                        "running",
                        "running",
                        "waiting at gate site",
                        "waiting at gate site",
                        "waiting at gate site",
                        "waiting at gate site",
                        "waiting at gate site");
        assertThat(work(play, items.getFirst().id()).job()).isEqualTo(held.getFirst());
        assertThat(play.status(id).position().work())
                .as("it waits for its items, and for no job")
                .isNull();
        assertThat(said(play.workflows().work(id))).containsExactly("5 waiting at gate site", "2 running");
        assertThat(play.workflows().work(id).getFirst().job())
                .as("the first of them")
                .isEqualTo(work(play, items.get(2).id()).job());
        assertThat(said(play.workflows().work(other))).containsExactly("3 waiting at gate site");
        assertThat(said(play.workflows().work(items.getLast().id()))).containsExactly("1 waiting at gate site");
        play.worker().crash();
        rig.advance(ScriptedWorker.LEASE);
        assertThat(said(play.workflows().work(id)))
                .as("no worker is left")
                .containsExactly(
                        "5 waiting at gate site",
                        "2 waiting: its worker %s is lost"
                                .formatted(play.worker().id()));
    }

    @Test
    default void aRunThatNoWorkerServesOrKnowsSaysSo(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = play.workflows().start(ONE, 1).id();
        assertThat(work(play, id).text()).isEqualTo("waiting for a worker of queue default");
        play.worker().leave();
        assertThat(work(play, id).stand()).isEqualTo(Stand.NO_WORKER);
        assertThat(said(play.workflows().work(id))).containsExactly("1 waiting: no live worker serves queue default");
        play.worker().register();
        play.all();
        assertThat(work(play, id).text()).isEqualTo("waiting: no worker knows 'one@1/only'");
        assertThat(said(play.workflows().work(id))).containsExactly("1 waiting: no worker knows 'one@1/only'");
        play.register(ONE);
        assertThat(work(play, id).stand()).isEqualTo(Stand.QUEUED);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.status(id).position().work()).isNull();
        assertThat(play.workflows().work(id)).isEmpty();
        RunId unknown = RunId.of(id.value() + 1_000);
        assertThatThrownBy(() -> play.workflows().work(unknown)).isInstanceOf(UnknownRunException.class);
    }

    @Test
    default void aSleepThatIsOverAndThatNoWorkerEndsSaysSo(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = play.workflows().start(NAP, 1).id();
        assertThat(play.status(id).position().work()).as("it waits for no job").isNull();
        assertThat(play.workflows().work(id)).isEmpty();
        play.worker().leave();
        rig.advance(Duration.ofHours(1));
        assertThat(work(play, id).text()).isEqualTo("waiting: no live worker serves queue default");
        assertThat(play.workflows().work(id)).containsExactly(work(play, id));
        play.worker().register();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SLEEPING);
        assertThat(work(play, id).text()).isEqualTo("waiting: no worker knows 'nap@1/~advance'");
    }

    @Test
    default void aStepThatIsTriedAgainSaysWhen(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ONE);
        RunId id = play.workflows().start(ONE, -1).id();
        play.all();
        assertThat(work(play, id).stand()).isEqualTo(Stand.RETRYING);
        assertThat(work(play, id).due()).isEqualTo(rig.time().now().plusSeconds(60));
        assertThat(play.workflows().work(id)).containsExactly(work(play, id));
        rig.advance(Duration.ofMinutes(1));
        assertThat(work(play, id).stand()).isEqualTo(Stand.QUEUED);
        assertThat(work(play, id).due()).isNull();
    }

    @Test
    default void pausesAreToldAndAStoppedRunWaitsForNothingElse(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ONE);
        RunId id = play.workflows().start(ONE, 1).id();
        rig.store().policyStore().pause(Pause.queue("default"), "ada", "a test");
        assertThat(work(play, id).text()).isEqualTo("waiting: queue default is paused");
        rig.store().policyStore().resume(Pause.queue("default"));
        rig.store().policyStore().pause(Pause.type("one@1/only"), "ada", "a test");
        play.all();
        assertThat(work(play, id).text()).isEqualTo("waiting: job type 'one@1/only' is paused");
        play.workflows().pause(id, "a test");
        assertThat(play.status(id).position().work()).isNull();
        rig.store().policyStore().resume(Pause.type("one@1/only"));
        play.workflows().resume(id, "a test");
        JobId running = play.worker().claim(1).getFirst();
        play.workflows().pause(id, "a test");
        assertThat(work(play, id).job()).as("what runs ends").isEqualTo(running);
        assertThat(work(play, id).isRunning()).isTrue();
        play.worker().park(running, ParkReason.UNREADABLE_PAYLOAD);
        play.workflows().resume(id, "a test");
        assertThat(work(play, id).text()).isEqualTo("parked: unreadable payload");
    }

    @Test
    default void anEntryActionSaysWhereItWaitsToo(Rig rig) {
        Machine<Integer> machine = Machine.named("pack", 1, Integer.class)
                .state(
                        "new",
                        s -> s.onEntry("wrap", (n, step) -> n, o -> o.gate("site"))
                                .onDone()
                                .goTo("done"))
                .finalState("done")
                .initial("new")
                .build();
        rig.policy("gate site", "concurrency 1");
        WorkflowRig play = new WorkflowRig(rig, "default").register(machine);
        RunId first = play.machines().start(machine, 1).id();
        RunId second = play.machines().start(machine, 2).id();
        play.worker().claim(5);
        assertThat(Objects.requireNonNull(
                                play.machines().status(first).position().work())
                        .isRunning())
                .isTrue();
        assertThat(Objects.requireNonNull(
                                play.machines().status(second).position().work())
                        .text())
                .isEqualTo("waiting at gate site");
    }
}
