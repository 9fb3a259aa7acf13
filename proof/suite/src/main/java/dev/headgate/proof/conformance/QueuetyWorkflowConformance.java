package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobId;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.Started;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * What users of Queuety know of workflows and machines: the five limits of a run, here checked before the work, and groups
 * that steps, entry actions and jobs share.
 *
 * <p>Overlap policies of schedules are in RecurrenceContract.
 */
public interface QueuetyWorkflowConformance extends Conformance {
    record Notes(List<String> topics, String text) {
        static Notes of(int topics) {
            return new Notes(List.of("a", "b", "c").subList(0, topics), "");
        }

        Notes plus(String more) {
            return new Notes(topics, text + more);
        }
    }

    private static Workflow<Notes, Notes> steps(int count) {
        var flow = Workflow.named("steps", 1, Notes.class);
        for (int i = 1; i <= count; i++) {
            flow = flow.then("step-" + i, (notes, step) -> notes.plus("."), s -> s.cost(2));
        }
        return flow.build();
    }

    private static RunId start(WorkflowRig play, Workflow<Notes, Notes> flow, Notes notes, UnaryOperator<RunBudget> b) {
        return play.register(flow)
                .workflows()
                .start(flow, notes, run -> run.budget(b))
                .id();
    }

    private static BudgetLine line(WorkflowRig play, RunId id, Guardrail guardrail) {
        return play.status(id).budget().stream()
                .filter(each -> each.guardrail() == guardrail)
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void ofTwoStepsWithOneTransitionTheSecondIsNeverStarted(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = start(play, steps(2), Notes.of(0), b -> b.maxTransitions(1));
        assertThat(play.all()).as("jobs that ran").isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).contains("step 'step-2': maxTransitions is 1");
    }

    @Test
    default void atACostOfThreeTheSecondStepOfTwoUnitsIsNeverStarted(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = start(play, steps(2), Notes.of(0), b -> b.maxCostUnits(3));
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail())
                .isEqualTo("step 'step-2': maxCostUnits is 3, used are 2, this asks for 2 more");
    }

    @Test
    default void anEndlessRepeatStopsAtItsTransitions(Rig rig) {
        Workflow<Notes, Notes> endless = Workflow.named("endless", 1, Notes.class)
                .repeatWhile("again", notes -> true, round -> round.then("turn", (notes, step) -> notes.plus(".")))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = start(play, endless, Notes.of(0), b -> b.maxTransitions(3));
        assertThat(play.all()).isLessThanOrEqualTo(3);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).contains("maxTransitions is 3");
    }

    @Test
    default void aForEachOfThreeItemsWithACapOfTwoMakesNoItem(Rig rig) {
        Workflow<Notes, Notes> fan = Workflow.named("fan", 1, Notes.class)
                .then("plan", (notes, step) -> notes)
                .forEach("each", Notes::topics, String.class, String.class, (topic, step) -> topic)
                .ignoringResults()
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId two = start(play, fan, Notes.of(2), b -> b.maxFanOutItems(2));
        play.all();
        assertThat(play.state(two)).as("equality is allowed").isEqualTo(RunState.SUCCEEDED);
        RunId three = start(play, fan, Notes.of(3), b -> b.maxFanOutItems(2));
        assertThat(play.all()).as("only the plan").isEqualTo(1);
        assertThat(play.state(three)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(three).life().detail()).contains("step 'each': maxFanOutItems is 2");
        assertThat(play.workflows().tree(three)).as("no part for an item").hasSize(1);
    }

    @Test
    default void twoChildrenWithACapOfOneAreNotMade(Rig rig) {
        Workflow<Notes, Notes> parent = Workflow.named("parent", 1, Notes.class)
                .then("plan", (notes, step) -> notes)
                .childForEach("children", steps(1), notes -> List.of(notes, notes))
                .ignoringResults()
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = start(play, parent, Notes.of(0), b -> b.maxChildRuns(1));
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).contains("step 'children': maxChildRuns is 1");
        assertThat(play.workflows().tree(id)).hasSize(1);
    }

    @Test
    default void aRunWhoseFirstStepItsBudgetDoesNotCoverIsNotStarted(Rig rig) {
        Workflow<Notes, Notes> fan = Workflow.named("fan", 1, Notes.class)
                .forEach("each", Notes::topics, String.class, String.class, (topic, step) -> topic)
                .ignoringResults()
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(fan);
        assertThatExceptionOfType(BudgetExceededException.class)
                .isThrownBy(() -> play.workflows().start(fan, Notes.of(3), run -> run.budget(b -> b.maxFanOutItems(2))))
                .withMessageContaining("nothing was started");
        assertThat(play.workflows().list(RunFilter.all())).isEmpty();
    }

    @Test
    default void aStateAboveItsBytesIsRefusedAtTheStartAndStopsTheRunLater(Rig rig) {
        Workflow<Notes, Notes> growing = Workflow.named("growing", 1, Notes.class)
                .then("grow", (notes, step) -> notes.plus("x".repeat(64)))
                .then("more", (notes, step) -> notes)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(growing);
        Notes large = Notes.of(0).plus("x".repeat(64));
        assertThatExceptionOfType(BudgetExceededException.class)
                .isThrownBy(() -> play.workflows().start(growing, large, run -> run.budget(b -> b.maxStateBytes(64))))
                .withMessageContaining("maxStateBytes is 64");
        assertThat(play.workflows().list(RunFilter.all())).isEmpty();
        RunId id = start(play, growing, Notes.of(0), b -> b.maxStateBytes(64));
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).contains("step 'more': maxStateBytes is 64");
    }

    @Test
    default void limitsBelowOneAreRefused(Rig rig) {
        for (Guardrail guardrail : List.of(
                Guardrail.TRANSITIONS,
                Guardrail.COST_UNITS,
                Guardrail.FAN_OUT_ITEMS,
                Guardrail.STATE_BYTES,
                Guardrail.CHILD_RUNS)) {
            assertThatIllegalArgumentException()
                    .as(guardrail.title())
                    .isThrownBy(() -> RunBudget.STANDARD.with(guardrail, -1));
        }
    }

    @Test
    default void theStatusHasTheBudgetWithWhatIsUsedAndReserved(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId id = start(
                play,
                steps(2),
                Notes.of(0),
                b -> b.maxTransitions(9)
                        .maxCostUnits(8)
                        .maxFanOutItems(7)
                        .maxStateBytes(6_000)
                        .maxChildRuns(5));
        assertThat(line(play, id, Guardrail.COST_UNITS))
                .as("the first step is paid before it runs")
                .isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 8, 0, 2));
        play.all();
        assertThat(line(play, id, Guardrail.TRANSITIONS)).isEqualTo(new BudgetLine(Guardrail.TRANSITIONS, 9, 2, 0));
        assertThat(line(play, id, Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 8, 4, 0));
        assertThat(line(play, id, Guardrail.FAN_OUT_ITEMS)).isEqualTo(new BudgetLine(Guardrail.FAN_OUT_ITEMS, 7, 0, 0));
        assertThat(line(play, id, Guardrail.CHILD_RUNS)).isEqualTo(new BudgetLine(Guardrail.CHILD_RUNS, 5, 0, 0));
        assertThat(line(play, id, Guardrail.STATE_BYTES).limit()).isEqualTo(6_000);
        assertThat(line(play, id, Guardrail.STATE_BYTES).used())
                .isEqualTo(String.valueOf(play.status(id).position().json()).length());
    }

    @Test
    default void theSameIdempotencyKeyIsTheSameRunWithOneSetOfJobs(Rig rig) {
        Workflow<Notes, Notes> flow = steps(2);
        WorkflowRig play = new WorkflowRig(rig, "default").register(flow);
        Started first = play.workflows().start(flow, Notes.of(0), run -> run.key("report:7"));
        Started again = play.workflows().start(flow, Notes.of(0), run -> run.key("report:7"));
        assertThat(first.isNew()).isTrue();
        assertThat(again).isEqualTo(new Started(first.id(), false));
        assertThat(play.all()).isEqualTo(2);
        assertThat(play.workflows()
                        .start(flow, Notes.of(0), run -> run.key("report:7"))
                        .isNew())
                .as("also when it has ended")
                .isFalse();
    }

    @Test
    default void stepsEntryActionsAndJobsShareTheLimitOfTheirGroup(Rig rig) {
        rig.policy("gate group:gpu", "concurrency 1");
        Workflow<Notes, Notes> flow = Workflow.named("render", 1, Notes.class)
                .then("draw", (notes, step) -> notes, s -> s.gate("group:gpu"))
                .build();
        Machine<Notes> machine = Machine.named("scene", 1, Notes.class)
                .initial("new")
                .state(
                        "new",
                        s -> s.onEntry("light", (notes, step) -> notes, o -> o.gate("group:gpu"))
                                .onDone()
                                .goTo("lit"))
                .finalState("lit")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(flow).register(machine);
        ScriptedWorker worker = rig.worker("q");
        JobId holder = rig.enqueue(job("q").gate("group:gpu"));
        assertThat(worker.claim(9)).containsExactly(holder);
        RunId run = play.workflows().start(flow, Notes.of(0)).id();
        RunId instance = play.machines().start(machine, Notes.of(0)).id();
        JobId last = rig.enqueue(job("q").gate("group:gpu"));
        assertThat(play.all()).as("the group is full").isZero();
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(holder);
        assertThat(worker.claim(9)).as("the step stands before it").isEmpty();
        assertThat(play.all()).as("the step, then the entry action").isEqualTo(2);
        assertThat(play.state(run)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.machines().status(instance).position().state()).isEqualTo("lit");
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void aStepAndAJobShareABudgetByTheirCost(Rig rig) {
        rig.policy("gate group:gpu", "budget 5");
        Workflow<Notes, Notes> flow = Workflow.named("render", 1, Notes.class)
                .then("draw", (notes, step) -> notes, s -> s.gate("group:gpu").cost(2))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(flow);
        ScriptedWorker worker = rig.worker("q");
        JobId four = rig.enqueue(job("q").gate("group:gpu").cost(4));
        assertThat(worker.claim(9)).containsExactly(four);
        RunId run = play.workflows().start(flow, Notes.of(0)).id();
        assertThat(play.all()).isZero();
        rig.advance(Duration.ofHours(1));
        assertThat(play.all()).as("time frees no budget").isZero();
        worker.finish(four);
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(run)).isEqualTo(RunState.SUCCEEDED);
    }
}
