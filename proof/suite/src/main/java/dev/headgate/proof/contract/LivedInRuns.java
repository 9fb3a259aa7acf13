package dev.headgate.proof.contract;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/**
 * Runs in every state, for {@link LivedInStore}. Dumps of older versions hold runs of these workflows, so they are never changed: what
 * new kinds of steps need is a new workflow.
 */
final class LivedInRuns {
    /** The state of every workflow here. */
    record Doc(List<Integer> items, String text) {
        static Doc of(String text) {
            return new Doc(List.of(1, 2), text);
        }

        Doc plus(String more) {
            return new Doc(items, text + more);
        }
    }

    private static final Workflow<Doc, Doc> STEPS = Workflow.named("lived-steps", 1, Doc.class)
            .then("one", (doc, step) -> doc.plus("1"))
            .then("two", (doc, step) -> doc.plus("2"), s -> s.gate("truck"))
            .build();

    private static final Workflow<Doc, Doc> NAP = Workflow.named("lived-nap", 1, Doc.class)
            .then("begin", (doc, step) -> {
                step.artifact("note", doc.text());
                return doc.plus("b");
            })
            .sleep("nap", Duration.ofDays(10))
            .awaitSignal("go", String.class, Doc::plus)
            .then("last", (doc, step) -> doc.plus("."))
            .build();

    private static final Workflow<Doc, Doc> ASK = Workflow.named("lived-ask", 1, Doc.class)
            .awaitSignal("go", String.class, Doc::plus)
            .awaitApproval("boss")
            .then("last", (doc, step) -> doc.plus("."))
            .build();

    private static final Workflow<Doc, Doc> SAGA = Workflow.named("lived-saga", 1, Doc.class)
            .then("book", (doc, step) -> doc.plus("b"))
            .compensate("unbook", (doc, step) -> doc)
            .then("ship", (doc, step) -> {
                throw new PermanentFailure("no truck");
            })
            .onFailure("tell", (ending, step) -> ending)
            .build();

    private static final Workflow<Doc, Doc> FAN = Workflow.named("lived-fan", 1, Doc.class)
            .spawn("aside", NAP, doc -> doc.plus("spawned"))
            .forEach("each", Doc::items, Integer.class, Integer.class, (item, step) -> item * 2)
            .reduce((doc, results) -> doc.plus(results.toString()))
            .parallel(
                    "both",
                    b -> b.branch("left", String.class, (doc, step) -> "left")
                            .branch("right", flow -> flow.awaitSignal("go", String.class, Doc::plus)),
                    (doc, joined) -> doc.plus(String.valueOf(joined.of("left", String.class))))
            .build();

    private static final Machine<Doc> ORDER = Machine.named("lived-order", 1, Doc.class)
            .state(
                    "new",
                    s -> s.on("pay", String.class)
                            .then(Doc::plus)
                            .goTo("paid")
                            .after(Duration.ofDays(10))
                            .goTo("late"))
            .state(
                    "paid",
                    s -> s.onEntry("pack", (doc, step) -> doc.plus("packed"), o -> o.gate("truck"))
                            .on("shipped")
                            .goTo("done"))
            .finalState("done")
            .finalState("late")
            .initial("new")
            .build();

    private final Rig rig;
    private final WorkflowRig play;

    LivedInRuns(Rig rig) {
        this.rig = rig;
        this.play = new WorkflowRig(rig, "default")
                .register(STEPS)
                .register(NAP)
                .register(ASK)
                .register(SAGA)
                .register(FAN)
                .register(ORDER);
    }

    private RunId start(Workflow<Doc, Doc> workflow, String text) {
        return play.workflows().start(workflow, Doc.of(text)).id();
    }

    void fill() {
        start(STEPS, "done");
        start(SAGA, "failed");
        play.all();
        play.workflows()
                .start(
                        NAP,
                        Doc.of("sleeps"),
                        r -> r.key("lived-key").label("team", "lived").header("by", "ada"));
        RunId signalled = start(NAP, "sleeps, and its signal is there");
        start(ASK, "awaits");
        start(FAN, "joins");
        play.workflows().start(STEPS, Doc.of("stopped"), r -> r.budget(b -> b.maxCostUnits(1)));
        play.workflows().cancel(start(ASK, "cancelled"), "not needed");
        play.machines().start(ORDER, Doc.of("waits"));
        RunId packed = play.machines().start(ORDER, Doc.of("packs")).id();
        RunId shipped = play.machines().start(ORDER, Doc.of("ships")).id();
        play.machines().send(shipped, "pay", "paid", "payment-1");
        play.all();
        play.machines().send(shipped, "shipped", null, "shipment-1");
        play.workflows().signal(signalled, "go", "early");
        play.all();
        rig.store().hold(Rig.key("gate truck"), Duration.ofDays(5), "no truck");
        start(STEPS, "waits for a truck");
        play.machines().send(packed, "pay", "paid");
        play.machines().send(packed, "shipped", null, "shipment-2");
        play.workflows().pause(start(STEPS, "paused"), "wait");
        play.all();
        start(STEPS, "not begun");
    }

    /** Brings every run to its end, days later. */
    void finish() {
        for (RunStatus run : live()) {
            boolean isStopped = run.state() == RunState.BUDGET_EXCEEDED;
            if (isStopped) {
                play.workflows().topUp(run.id(), Guardrail.COST_UNITS, 10, "more");
            }
            if (isStopped || run.state() == RunState.PAUSED) {
                play.workflows().resume(run.id(), "go on");
            }
        }
        play.all();
        rig.advance(Duration.ofDays(20));
        play.all();
        for (RunStatus run : live()) {
            boolean isAwaiting = !play.machines().isInstance(run.id())
                    && !run.origin().workflow().equals(STEPS.name());
            if (isAwaiting) {
                play.workflows().signal(run.id(), "go", "!");
            }
        }
        play.all();
        for (RunStatus run : live()) {
            if (run.origin().workflow().equals(ASK.name())) {
                play.workflows().approve(run.id(), "boss", "ada", "fine");
            }
        }
        play.all();
    }

    /** Runs that have not ended, those too that others have made. */
    List<RunStatus> live() {
        return play.workflows().list(RunFilter.all()).stream()
                .flatMap(root -> play.workflows().tree(root.id()).stream())
                .filter(run -> !run.state().isTerminal()
                        && run.origin().name().equals(run.origin().workflow()))
                .toList();
    }

    WorkflowRig play() {
        return play;
    }
}
