package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Budgets that stand in a definition: what a start gets, the most that it can ask for, and what has stopped a run. */
public interface DefinedBudgetContract extends StoreFixture {
    record Count(int steps) {
        Count next() {
            return new Count(steps + 1);
        }
    }

    Workflow<Count, Count> THREE = Workflow.named("three", 1, Count.class)
            .budget(b -> b.maxCostUnits(5).maxWallTime(Duration.ofHours(1)))
            .then("one", (count, step) -> count.next(), s -> s.cost(2))
            .then("two", (count, step) -> count.next(), s -> s.cost(2))
            .then("three", (count, step) -> count.next(), s -> s.cost(2))
            .build();

    Machine<Count> ROUND = Machine.named("round", 1, Count.class)
            .budget(b -> b.maxTransitions(3))
            .state("on", s -> s.on("push").then(Count::next).goTo("off"))
            .state("off", s -> s.on("push").then(Count::next).goTo("on"))
            .initial("on")
            .build();

    private static long limit(WorkflowRig play, RunId id, Guardrail guardrail) {
        return play.status(id).budget().stream()
                .filter(line -> line.guardrail() == guardrail)
                .mapToLong(BudgetLine::limit)
                .sum();
    }

    @Test
    default void aStartHasTheBudgetOfItsDefinitionAlsoWithoutTheClass(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        RunId withClass = play.workflows().start(THREE, new Count(0)).id();
        RunId without = new WorkflowRig(rig, "other")
                .workflows()
                .startJson("three", 1, "{\"steps\":0}", run -> {})
                .id();
        for (RunId id : new RunId[] {withClass, without}) {
            assertThat(limit(play, id, Guardrail.COST_UNITS)).isEqualTo(5);
            assertThat(limit(play, id, Guardrail.WALL_TIME)).isEqualTo(3_600_000_000L);
            assertThat(limit(play, id, Guardrail.ATTEMPTS)).isEqualTo(Guardrail.ATTEMPTS.standard());
        }
        play.all();
        assertThat(play.state(without)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.workflows().definitions()).singleElement().satisfies(definition -> {
            assertThat(definition.budget()).isEqualTo(THREE.budget());
            assertThat(definition.steps()).containsExactly("then one", "then two", "then three");
        });
    }

    @Test
    default void aStartTightensAndChoosesWhatTheDefinitionLeavesOpen(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        RunId id = play.workflows()
                .start(THREE, new Count(0), r -> r.budget(b -> b.maxCostUnits(4).maxTransitions(200_000)))
                .id();
        assertThat(limit(play, id, Guardrail.COST_UNITS)).isEqualTo(4);
        assertThat(limit(play, id, Guardrail.TRANSITIONS)).isEqualTo(200_000);
        assertThat(limit(play, id, Guardrail.WALL_TIME)).isEqualTo(3_600_000_000L);
    }

    @Test
    default void aStartThatAsksForMoreIsRefusedWithBothFigures(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        assertThatThrownBy(() -> play.workflows()
                        .start(
                                THREE,
                                new Count(0),
                                r -> r.budget(b -> b.maxCostUnits(6).maxWallTime(Duration.ofHours(2)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("start of workflow 'three' version 1")
                .hasMessageContaining("maxCostUnits of at most 5, got 6; maxWallTime of at most 1h, got 2h")
                .hasMessageContaining("nothing was started");
        assertThatThrownBy(() ->
                        play.workflows().startJson("three", 1, "{\"steps\":0}", r -> r.budget(b -> b.maxCostUnits(6))))
                .hasMessageContaining("maxCostUnits of at most 5, got 6");
        assertThat(play.workflows().list(RunFilter.all())).isEmpty();
    }

    @Test
    default void anotherBudgetNeedsAnotherVersion(Rig rig) {
        new WorkflowRig(rig, "default").register(THREE).register(THREE);
        Workflow<Count, Count> looser = Workflow.named("three", 1, Count.class)
                .budget(b -> b.maxCostUnits(50))
                .then("one", (count, step) -> count.next())
                .then("two", (count, step) -> count.next())
                .then("three", (count, step) -> count.next())
                .build();
        WorkflowRig other = new WorkflowRig(rig, "default");
        assertThatThrownBy(() -> other.register(looser))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "expected the budget it was registered with, maxCostUnits 5, maxWallTime 1h, got maxCostUnits 50")
                .hasMessageContaining("version 2");
    }

    @Test
    default void anOperatorRaisesARunAboveItsDefinition(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        RunId id = play.workflows().start(THREE, new Count(0)).id();
        play.all();
        play.workflows().topUp(id, Guardrail.COST_UNITS, 1, "ada: one more");
        play.workflows().resume(id, "go");
        play.all();
        assertThat(play.workflows().result(id, THREE)).isEqualTo(new Count(3));
        assertThat(play.workflows().timeline(id))
                .anySatisfy(event -> assertThat(event.detail()).isEqualTo("maxCostUnits by 1 to 6: ada: one more"));
    }

    @Test
    default void aStateIsNeverAllowedMoreThanAStoreTakes(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        RunId id = play.workflows().start(THREE, new Count(0)).id();
        assertThatThrownBy(() -> play.workflows().topUp(id, Guardrail.STATE_BYTES, 114_689, "more"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected maxStateBytes to rise by at most 114688, to 245760");
        play.workflows().topUp(id, Guardrail.STATE_BYTES, 114_688, "all there is");
        assertThat(limit(play, id, Guardrail.STATE_BYTES)).isEqualTo(245_760);
        assertThatThrownBy(() -> play.workflows().topUp(id, Guardrail.STATE_BYTES, 1, "more"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a limit that can rise, got maxStateBytes, which is 245760 already");
    }

    @Test
    default void timeWithoutALimitCannotRise(Rig rig) {
        Workflow<Count, Count> open = Workflow.named("open", 1, Count.class)
                .then("one", (count, step) -> count.next())
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(open);
        RunId id = play.workflows().start(open, new Count(0)).id();
        assertThatThrownBy(() -> play.workflows().topUp(id, Guardrail.WALL_TIME, 1, "more"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got maxWallTime, which is unlimited already");
        assertThat(play.workflows().timeline(id))
                .noneSatisfy(event -> assertThat(event.detail()).contains("maxWallTime"));
    }

    @Test
    default void aStoppedRunNamesTheGuardrailThatStoppedItNotTheFullest(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(THREE);
        RunId id = play.workflows()
                .start(THREE, new Count(0), r -> r.budget(b -> b.maxStateBytes(11)))
                .id();
        assertThat(play.status(id).life().stoppedBy()).isEmpty();
        play.all();
        assertThat(play.status(id).budget()).anySatisfy(line -> {
            assertThat(line.guardrail()).isEqualTo(Guardrail.STATE_BYTES);
            assertThat(line.left()).isZero();
        });
        assertThat(play.status(id).life().stoppedBy()).containsExactly(Guardrail.COST_UNITS);
        play.workflows().topUp(id, Guardrail.COST_UNITS, 1, "more");
        assertThat(play.status(id).life().stoppedBy()).containsExactly(Guardrail.COST_UNITS);
        play.workflows().resume(id, "go");
        assertThat(play.status(id).life().stoppedBy()).isEmpty();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void timeThatIsUpIsNamedToo(Rig rig) {
        Workflow<Count, Count> sleepy = Workflow.named("sleepy", 1, Count.class)
                .budget(b -> b.maxWallTime(Duration.ofMinutes(1)))
                .sleep("doze", Duration.ofHours(5))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(sleepy);
        RunId id = play.workflows().start(sleepy, new Count(0)).id();
        rig.advance(Duration.ofMinutes(1));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().stoppedBy()).containsExactly(Guardrail.WALL_TIME);
    }

    @Test
    default void aMachineHasABudgetLikeAWorkflow(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ROUND);
        assertThatThrownBy(() -> play.machines().start(ROUND, new Count(0), r -> r.budget(b -> b.maxTransitions(4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("start of machine 'round' version 1")
                .hasMessageContaining("maxTransitions of at most 3, got 4");
        assertThat(play.workflows().definitions().getFirst().budget().limits())
                .isEqualTo(Map.of(Guardrail.TRANSITIONS, 3L));
        RunId id = play.machines().start(ROUND, new Count(0)).id();
        for (int i = 0; i < 3; i++) {
            play.machines().send(id, "push");
            play.all();
        }
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.machines().status(id).life().stoppedBy()).containsExactly(Guardrail.TRANSITIONS);
    }
}
