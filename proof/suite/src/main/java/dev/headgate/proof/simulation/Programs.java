package dev.headgate.proof.simulation;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.Program;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.run.Join;
import dev.headgate.workflow.Flow.RunFailure;
import dev.headgate.workflow.Step;
import dev.headgate.workflow.StepOptions;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/** The workflows of a simulated world. Their steps do what handlers do there, pass its gates, and keep their own history. */
final class Programs {
    /** What all runs that wait for a signal wait for. */
    static final String SIGNAL = "go";

    /** Steps that a run can be rewound to, if it has entered them. */
    static final List<String> STEPS =
            List.of("take", "rest", "keep", "plan", "each", "both", "sum", "begin", "aside", "below", "turn");

    private static final RetryPolicy SOON =
            RetryPolicy.exponential(Duration.ofMillis(50)).max(Duration.ofSeconds(1));
    private static final int COST_MAX = 3;
    private static final int ROUNDS = 7;

    private final Theatre theatre;
    private final RunWatch watch;
    private final List<String> gates;
    private final Workflow<Doc, Doc> leaf;
    private final List<Workflow<Doc, Doc>> all;

    Programs(Options options, Theatre theatre, RunWatch watch) {
        this.theatre = theatre;
        this.watch = watch;
        this.gates = Options.gates(options.gateCount());
        this.leaf = leaf();
        this.all = List.of(leaf, fan(), tree());
    }

    /** The only signal that is sent. */
    record Signal(int number) {}

    List<Workflow<Doc, Doc>> all() {
        return all;
    }

    /** Makes a process able to run their steps. */
    void register(Handlers handlers, JsonCodec codec, FrameView.Reader reader) {
        all.forEach(workflow -> Program.of(workflow).handlers(codec, reader).forEach(handlers::add));
    }

    private Workflow<Doc, Doc> leaf() {
        return Workflow.named("leaf", 1, Doc.class)
                .queue("a")
                .then("take", this::act, this::how)
                .compensate("put-back", this::undo, this::soon)
                .sleep("rest", Duration.ofMillis(200))
                .then("keep", this::act, this::how)
                .build();
    }

    private Workflow<Doc, Doc> fan() {
        return Workflow.named("fan", 1, Doc.class)
                .queue("b")
                .then("plan", this::act, this::how)
                .forEach("each", Doc::items, Doc.class, Doc.class, this::act, this::how)
                .join(Join.quorum(1))
                .reduce((doc, results) -> doc)
                .parallel(
                        "both",
                        branches -> branches.branch("left", flow -> flow.then("left-step", this::act, this::how))
                                .branch(
                                        "right",
                                        flow -> flow.then("right-step", this::act, this::how)
                                                .sleep("right-rest", Duration.ofMillis(80))
                                                .then("right-end", this::act, this::how))
                                .join(Join.settled()),
                        (doc, joined) -> doc)
                .then("sum", this::act, this::how)
                .spawn("outlive", leaf, doc -> doc)
                .build();
    }

    private Workflow<Doc, Doc> tree() {
        return Workflow.named("tree", 1, Doc.class)
                .queue("c")
                .then("begin", this::act, this::how)
                .compensate("unbegin", this::undo, this::soon)
                .spawn("aside", leaf, doc -> doc)
                .childForEach("below", leaf, Doc::items)
                .join(Join.settled())
                .ignoringResults()
                .awaitSignal(SIGNAL, Signal.class, Duration.ofSeconds(8), (doc, signal) -> doc)
                .repeatWhile("again", doc -> doc.steps() < ROUNDS, flow -> flow.then("turn", this::act, this::how))
                .onFailure("tell", this::end)
                .onCancel("tell-too", this::end)
                .build();
    }

    /** A step at work: looks whether it sees what was recorded, and then does well or badly. */
    private Doc act(Doc doc, Step step) {
        look(doc, step.job());
        theatre.handle(new Payload(doc.token(), gatesOf(doc)), step.job());
        return doc.by(step.job().id().value(), step.job().epoch());
    }

    private void look(Doc doc, JobContext job) {
        FrameRef frame = job.frame().orElseThrow();
        watch.saw(frame, doc);
    }

    private Doc undo(Doc doc, Step step) {
        theatre.handle(new Payload(doc.token(), List.of()), step.job());
        return doc;
    }

    private String end(RunFailure ending, Step step) {
        theatre.handle(new Payload(0, List.of()), step.job());
        return String.valueOf(ending.reason());
    }

    /** Another gate with every step of a run, and now and then none. */
    private List<String> gatesOf(Doc doc) {
        int at = (int) Math.floorMod(doc.token() + doc.steps(), gates.size() + 1L);
        return at == gates.size() ? List.of() : List.of(gates.get(at));
    }

    private void how(Doc doc, StepOptions options) {
        gatesOf(doc).forEach(options::gate);
        soon(options);
        options.cost(Math.floorMod(doc.token() + doc.steps(), COST_MAX + 1L));
    }

    private void soon(StepOptions options) {
        options.attempts(4).retry(SOON);
    }
}
