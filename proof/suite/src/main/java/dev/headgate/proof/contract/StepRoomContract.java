package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobStatus;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import dev.headgate.workflow.StepOptions;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps and entry actions say what they need, and workers mind it as they do for other jobs. */
public interface StepRoomContract extends StoreFixture {
    Needs PRESS = Needs.of("press", 2);
    Duration USUALLY = Duration.ofSeconds(20);

    private static void heavy(StepOptions step) {
        step.needs(PRESS).expected(USUALLY);
    }

    private static SteppedHeadgate process(Rig rig) {
        return new SteppedHeadgate(rig.store().backend(), rig.time());
    }

    private static void work(Headgate headgate, int presses) {
        headgate.worker("default")
                .headroom(Headroom.system().amount("press", presses))
                .start();
    }

    private static JobStatus waiting(Headgate headgate) {
        return headgate.list(JobFilter.all()).getFirst();
    }

    @Test
    default void aStepStartsOnlyWhereThereIsRoomForIt(Rig rig) {
        Workflow<String, String> book = Workflow.named("book", 1, String.class)
                .then("set", (text, step) -> text + " set")
                .then(
                        "print",
                        (text, step) -> text + " printed",
                        StepRoomContract::heavy,
                        (text, options) -> options.gate("paper:" + text))
                .compensate("pulp", (text, step) -> text, StepRoomContract::heavy)
                .forEach(
                        "bind",
                        text -> List.of(1, 2),
                        Integer.class,
                        Integer.class,
                        (copy, step) -> copy,
                        StepRoomContract::heavy)
                .ignoringResults()
                .build();
        try (SteppedHeadgate process = process(rig)) {
            Headgate headgate = process.headgate();
            headgate.workflows().register(book);
            work(headgate, 1);
            RunId id = headgate.workflows().start(book, "atlas").id();
            assertThat(process.run()).as("set").hasSize(1);
            JobStatus print = waiting(headgate);
            assertThat(print.type()).isEqualTo("book@1/print");
            assertThat(print.gates()).containsExactly("paper:atlas set");
            assertThat(headgate.explain(print.id()).summary()).contains("needs press 2");
            assertThat(print.leases().attempt()).isZero();
            assertThat(headgate.demand().types())
                    .filteredOn(type -> !type.needs().isNothing())
                    .extracting(TypeFigures::type, TypeFigures::needs, TypeFigures::expected)
                    .containsExactly(
                            tuple("book@1/bind.each", PRESS, USUALLY),
                            tuple("book@1/print", PRESS, USUALLY),
                            tuple("book@1/pulp", PRESS, USUALLY));
            work(headgate, 2);
            assertThat(process.run()).as("print, two copies and what steers").hasSizeGreaterThanOrEqualTo(3);
            assertThat(headgate.workflows().result(id, book)).isEqualTo("atlas set printed");
        }
    }

    @Test
    default void anEntryActionStartsOnlyWhereThereIsRoomForIt(Rig rig) {
        Machine<String> page = Machine.named("page", 1, String.class)
                .state(
                        "new",
                        s -> s.onEntry(
                                        "print",
                                        (text, step) -> text + " printed",
                                        StepRoomContract::heavy,
                                        (text, options) -> options.gate("paper:" + text))
                                .onDone()
                                .goTo("done"))
                .finalState("done")
                .initial("new")
                .build();
        try (SteppedHeadgate process = process(rig)) {
            Headgate headgate = process.headgate();
            headgate.machines().register(page);
            work(headgate, 1);
            RunId id = headgate.machines().start(page, "atlas").id();
            assertThat(process.run()).isEmpty();
            JobStatus print = waiting(headgate);
            assertThat(print.gates()).containsExactly("paper:atlas");
            assertThat(headgate.explain(print.id()).summary()).contains("needs press 2");
            work(headgate, 2);
            assertThat(process.run()).isNotEmpty();
            assertThat(headgate.workflows().status(id).state()).isEqualTo(RunState.SUCCEEDED);
        }
    }

    @Test
    default void aWorkerThatEndsSoonLeavesAStepThatTakesLonger(Rig rig) {
        Workflow<String, String> slow = Workflow.named("slow", 1, String.class)
                .then("print", (text, step) -> text, s -> s.expected(USUALLY))
                .build();
        try (SteppedHeadgate process = process(rig)) {
            process.headgate().workflows().register(slow);
            process.headgate()
                    .worker("default")
                    .finishWithin(Duration.ofSeconds(15))
                    .start();
            process.headgate().workflows().start(slow, "atlas");
            assertThat(process.run()).isEmpty();
            process.headgate()
                    .worker("default")
                    .finishWithin(Duration.ofSeconds(25))
                    .start();
            assertThat(process.run()).hasSize(1);
        }
    }

    @Test
    default void needsThatDependOnTheStateAreRefused(Rig rig) {
        Workflow<String, String> byState = Workflow.named("by-state", 1, String.class)
                .then("print", (text, step) -> text, (text, options) -> options.needs(PRESS))
                .build();
        Workflow<String, String> never = Workflow.named("never", 1, String.class)
                .then("print", (text, step) -> text, s -> s.expected(Duration.ZERO))
                .build();
        try (SteppedHeadgate process = process(rig)) {
            assertThatThrownBy(() -> process.headgate().workflows().start(byState, "atlas"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "workflow by-state@1, step 'print': needs: expected it in options that hold always, got it in"
                                    + " those of one job; say (…, s -> s.needs(…), (state, s) -> …)");
            assertThatThrownBy(() -> process.headgate().workflows().register(never))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("workflow never@1, step 'print': expected: expected a positive duration");
            assertThat(process.headgate().workflows().versions("never")).isEmpty();
        }
        assertThat(new StepOptions("q", StepRoomContract::heavy).handler("print"))
                .isEqualTo(HandlerOptions.DEFAULT.needs(PRESS).expected(USUALLY));
    }
}
