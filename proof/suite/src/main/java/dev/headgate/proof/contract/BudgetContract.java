package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.OperationResult;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Budgets of runs: charged before the work, retries included; what they do not cover is not done. */
public interface BudgetContract extends StoreFixture {
    record Count(int steps, String text) {
        Count next() {
            return new Count(steps + 1, text);
        }
    }

    Workflow<Count, Count> FIVE = Workflow.named("five", 1, Count.class)
            .then("one", (count, step) -> count.next(), s -> s.cost(2))
            .then("two", (count, step) -> count.next(), s -> s.cost(2))
            .then("three", (count, step) -> count.next(), s -> s.cost(2))
            .then("four", (count, step) -> count.next(), s -> s.cost(2))
            .then("five", (count, step) -> count.next(), s -> s.cost(2))
            .build();

    private static BudgetLine line(WorkflowRig play, RunId id, Guardrail guardrail) {
        return play.status(id).budget().stream()
                .filter(line -> line.guardrail() == guardrail)
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void wallTimePassesByItself(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        RunId id = play.workflows()
                .start(FIVE, new Count(0, ""), run -> run.budget(b -> b.maxWallTime(Duration.ofSeconds(100))))
                .id();
        rig.advance(Duration.ofSeconds(79));
        assertThat(line(play, id, Guardrail.WALL_TIME).isHigh()).isFalse();
        rig.advance(Duration.ofSeconds(1));
        assertThat(line(play, id, Guardrail.WALL_TIME).used()).isEqualTo(80_000_000);
        assertThat(line(play, id, Guardrail.WALL_TIME).isHigh()).isTrue();
        play.all();
        rig.advance(Duration.ofHours(1));
        assertThat(line(play, id, Guardrail.WALL_TIME).used()).isEqualTo(80_000_000);
    }

    @Test
    default void aBudgetThatIsReachedIsNotExceeded(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        RunId id = play.workflows()
                .start(
                        FIVE,
                        new Count(0, ""),
                        r -> r.budget(b -> b.maxTransitions(5).maxCostUnits(10).maxAttempts(5)))
                .id();
        assertThat(line(play, id, Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 0, 2));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(line(play, id, Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 10, 0));
        assertThat(line(play, id, Guardrail.TRANSITIONS)).isEqualTo(new BudgetLine(Guardrail.TRANSITIONS, 5, 5, 0));
        assertThat(line(play, id, Guardrail.ATTEMPTS)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 5, 5, 0));
    }

    @Test
    default void theStepThatWouldExceedDoesNotRun(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        RunId cost = play.workflows()
                .start(FIVE, new Count(0, ""), r -> r.budget(b -> b.maxCostUnits(5)))
                .id();
        RunId moves = play.workflows()
                .start(FIVE, new Count(0, ""), r -> r.budget(b -> b.maxTransitions(3)))
                .id();
        RunId tries = play.workflows()
                .start(FIVE, new Count(0, ""), r -> r.budget(b -> b.maxAttempts(4)))
                .id();
        assertThat(play.all()).isEqualTo(2 + 3 + 4);
        assertThat(play.state(cost)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(cost).position().step()).isEqualTo("three");
        assertThat(play.status(cost).position().json()).contains("\"steps\":2");
        assertThat(play.status(cost).life().detail())
                .isEqualTo("step 'three': maxCostUnits is 5, used are 4, this asks for 2 more");
        assertThat(play.status(moves).life().detail()).contains("step 'four': maxTransitions is 3");
        assertThat(play.status(tries).life().detail()).contains("step 'five': maxAttempts is 4");
        assertThat(play.story(cost))
                .containsExactly("STARTED one", "ENTERED two", "WARNED two", "BUDGET_EXCEEDED three");
        assertThat(play.workflows().list(RunFilter.all().state(RunState.BUDGET_EXCEEDED)))
                .hasSize(3);
    }

    @Test
    default void aRetryIsChargedLikeAFirstAttempt(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Workflow<Count, Count> hopeless = Workflow.named("hopeless", 1, Count.class)
                .then(
                        "try",
                        (count, step) -> {
                            ran.incrementAndGet();
                            throw new IllegalStateException("again");
                        },
                        s -> s.attempts(100).cost(3))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(hopeless);
        RunId id = play.workflows()
                .start(hopeless, new Count(0, ""), r -> r.budget(b -> b.maxCostUnits(10)))
                .id();
        for (int i = 0; i < 10; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(ran).hasValue(3);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail())
                .isEqualTo("another attempt of step 'try': maxCostUnits is 10, used are 9, this asks for 3 more");
    }

    @Test
    default void aWorkerThatIsLostHasSpentAnAttempt(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        RunId id = play.workflows()
                .start(FIVE, new Count(0, ""), r -> r.budget(b -> b.maxAttempts(5)))
                .id();
        play.claimed();
        rig.lose(play.worker());
        play.worker().register();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).position().step()).isEqualTo("five");
    }

    @Test
    default void aStateThatIsTooLargeStopsTheRunBeforeTheStep(Rig rig) {
        Workflow<Count, Count> growing = Workflow.named("growing", 1, Count.class)
                .then("grow", (count, step) -> new Count(1, "x".repeat(2_000)))
                .then("more", (count, step) -> count)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(growing);
        RunId id = play.workflows()
                .start(growing, new Count(0, ""), r -> r.budget(b -> b.maxStateBytes(1_000)))
                .id();
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).isEqualTo("step 'more': maxStateBytes is 1000, this needs 2021");
    }

    @Test
    default void aResultThatIsTooLargeFailsTheRun(Rig rig) {
        Workflow<Count, Count> growing = Workflow.named("growing", 1, Count.class)
                .then("grow", (count, step) -> new Count(1, "x".repeat(2_000)))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(growing);
        RunId id = play.workflows()
                .start(growing, new Count(0, ""), r -> r.budget(b -> b.maxStateBytes(1_000)))
                .id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).isEqualTo("its result: maxStateBytes is 1000, this needs 2021");
    }

    @Test
    default void aStartThatItsBudgetDoesNotCoverIsRefused(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        assertThatThrownBy(() -> play.workflows()
                        .start(FIVE, new Count(0, "x".repeat(500)), r -> r.budget(b -> b.maxStateBytes(100))))
                .isInstanceOf(BudgetExceededException.class)
                .hasMessageContaining("workflow 'five' version 1")
                .hasMessageContaining("maxStateBytes is 100");
        assertThat(play.workflows().list(RunFilter.all())).isEmpty();
        assertThat(play.all()).isZero();
    }

    @Test
    default void aWarningComesOnceAtEightyPercent(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(FIVE);
        RunId id = play.workflows()
                .start(FIVE, new Count(0, ""), r -> r.budget(b -> b.maxCostUnits(10)))
                .id();
        play.all();
        assertThat(play.story(id).stream().filter(line -> line.startsWith("WARNED")))
                .containsExactly("WARNED four");
    }

    @Test
    default void wallTimeStopsARunThatSleepsTooLong(Rig rig) {
        Workflow<Count, Count> sleepy = Workflow.named("sleepy", 1, Count.class)
                .sleep("doze", Duration.ofHours(5))
                .then("one", (count, step) -> count.next())
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(sleepy);
        RunId id = play.workflows()
                .start(sleepy, new Count(0, ""), r -> r.budget(b -> b.maxWallTime(Duration.ofHours(1))))
                .id();
        RunId free = play.workflows().start(sleepy, new Count(0, "")).id();
        rig.advance(Duration.ofHours(1).minusNanos(1_000));
        assertThat(play.all()).isZero();
        rig.advance(Duration.ofNanos(1_000));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(id).life().detail()).contains("maxWallTime is 1h, this needs 1h");
        rig.advance(Duration.ofHours(4));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.state(free)).isEqualTo(RunState.SUCCEEDED);
    }

    Workflow<Count, Count> PARENT = Workflow.named("parent", 1, Count.class)
            .spawn("aside", FIVE, count -> count)
            .then("end", (count, step) -> count)
            .build();

    /** A run that was spawned by one that has ended since, and that the budget of both stopped before 'three'. */
    private static RunId spawnedAndStopped(WorkflowRig play) {
        RunId parent = play.register(FIVE)
                .register(PARENT)
                .workflows()
                .start(PARENT, new Count(0, ""), r -> r.budget(b -> b.maxCostUnits(6)))
                .id();
        play.all();
        assertThat(play.state(parent)).isEqualTo(RunState.SUCCEEDED);
        RunId child = play.workflows().tree(parent).getLast().id();
        assertThat(play.state(child)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.status(child).position().step()).isEqualTo("three");
        return child;
    }

    @Test
    default void whatOutlivesTheRunThatSpawnedItCanBePaidForAndGoesOn(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId child = spawnedAndStopped(play);
        assertThat(play.workflows().topUp(child, Guardrail.COST_UNITS, 10, "more"))
                .isEqualTo(OperationResult.DONE);
        assertThat(play.workflows().resume(child, "go")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.state(child)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.story(child)).contains("TOPPED_UP three", "RESUMED three");
        assertThat(play.workflows().resume(child, "again")).isEqualTo(OperationResult.WRONG_STATE);
    }

    @Test
    default void whatOutlivesTheRunThatSpawnedItCanBeCancelled(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default");
        RunId child = spawnedAndStopped(play);
        assertThat(play.workflows().cancel(child, "no")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.state(child)).isEqualTo(RunState.CANCELLED);
    }

    @Test
    default void aHaltEndsWithItsRunAndWhatThatHasSpawnedGoesOn(Rig rig) {
        rig.policy("gate one", "rate 1/1m burst 1");
        Workflow<Count, Count> child = Workflow.named("child", 1, Count.class)
                .then("gated", (count, step) -> count, s -> s.gate("one"))
                .build();
        Workflow<Count, Count> parent = Workflow.named("parent", 1, Count.class)
                .spawn("first", child, count -> count)
                .spawn("second", child, count -> count)
                .then("end", (count, step) -> count, s -> s.queue("other"))
                .build();
        WorkflowRig other = new WorkflowRig(rig, "other").register(child).register(parent);
        WorkflowRig play = new WorkflowRig(rig, "default").register(child).register(parent);
        RunId id = play.workflows().start(parent, new Count(0, "")).id();
        play.all();
        List<EndedLease> end = other.claimed();
        play.workflows().pause(id, "wait");
        rig.advance(Duration.ofMinutes(1));
        play.all();
        RunId second = play.workflows().tree(id).getLast().id();
        assertThat(play.state(second)).isEqualTo(RunState.PAUSED);

        other.worker().turn(0, end.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.state(second)).isEqualTo(RunState.SUCCEEDED);
    }
}
