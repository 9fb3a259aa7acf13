package dev.headgate.proof;

import dev.headgate.Headgate;
import dev.headgate.Machines;
import dev.headgate.Workflows;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.machine.Machine;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.spi.JobRow;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plays workflows on a {@link Rig}: their real steps, in virtual time and without threads.
 *
 * <pre>{@code
 * WorkflowRig play = new WorkflowRig(rig, "default").register(SHIP);
 * RunId id = play.workflows().start(SHIP, order);
 * play.all();
 * rig.advance(ofMinutes(5));
 * play.all();
 * assertThat(play.state(id)).isEqualTo(SUCCEEDED);
 * }</pre>
 */
public final class WorkflowRig {
    private static final int TURNS_MAX = 100_000;

    private final Rig rig;
    private final Headgate headgate;
    private final RunStore store;
    private final JsonCodec codec = new JsonCodec();
    private final Map<String, Handler<?>> handlers = new HashMap<>();
    private final ScriptedWorker worker;
    private int slots = 100;

    public WorkflowRig(Rig rig, String... queues) {
        this.rig = rig;
        this.headgate = Headgate.open(rig.store().backend());
        this.store = new RunStore(rig.store().backend());
        this.worker = rig.worker(queues);
    }

    public WorkflowRig register(Workflow<?, ?> workflow) {
        headgate.workflows().register(workflow);
        handle(workflow);
        rig.store().revive(handlers.keySet());
        return this;
    }

    private void handle(Workflow<?, ?> workflow) {
        workflow.children().forEach(this::handle);
        Program.of(workflow)
                .handlers(codec, store)
                .forEach(handler -> handlers.put(handler.type().name(), handler));
    }

    public WorkflowRig register(Machine<?> machine) {
        headgate.machines().register(machine);
        Program.of(machine)
                .handlers(codec, store)
                .forEach(handler -> handlers.put(handler.type().name(), handler));
        rig.store().revive(handlers.keySet());
        return this;
    }

    public Machines machines() {
        return headgate.machines();
    }

    public Workflows workflows() {
        return headgate.workflows();
    }

    public ScriptedWorker worker() {
        return worker;
    }

    /** How many jobs it takes at once. Default: 100. */
    public WorkflowRig slots(int count) {
        slots = count;
        return this;
    }

    /** Runs everything that can start now, and what follows from it, until nothing can; answers how many jobs ran. */
    public int all() {
        int ran = 0;
        List<EndedLease> ended = new ArrayList<>();
        for (int turns = 0; turns < TURNS_MAX; turns++) {
            Turn turn = worker.turn(slots, ended.toArray(EndedLease[]::new));
            ended.clear();
            turn.started().forEach(row -> ended.add(run(row)));
            ran += ended.size();
            if (ended.isEmpty() && !Duration.ZERO.equals(turn.nextWake())) {
                return ran;
            }
        }
        throw new AssertionError("the run still goes on after %d turns".formatted(TURNS_MAX));
    }

    /** Claims what can start now and runs it, but does not bring it back: as if the worker died on the way. */
    public List<EndedLease> claimed() {
        return worker.turn(slots).started().stream().map(this::run).toList();
    }

    private EndedLease run(JobRow row) {
        Handler<?> handler = handlers.get(row.spec().type());
        if (handler == null) {
            return new EndedLease(row, new Outcome.Parked(ParkReason.UNKNOWN_HANDLER, "no handler"));
        }
        try {
            Object result = handler.read(codec, row.spec().payload()).run(new PlayedJob(row));
            return new EndedLease(
                    row, new Outcome.Succeeded(null), Map.of(), result instanceof Move move ? move : null);
        } catch (PermanentFailure failure) {
            return new EndedLease(row, new Outcome.Failed(String.valueOf(failure.getMessage())));
        } catch (Exception error) {
            String text = String.valueOf(error.getMessage());
            boolean isLast = row.lease().attempt() >= row.spec().tries().attemptsMax();
            return new EndedLease(row, isLast ? new Outcome.Failed(text) : new Outcome.RetryAfter(delay(error), text));
        }
    }

    private static Duration delay(Exception error) {
        return error instanceof RetryLater later && later.when() instanceof RetryLater.When.After(Duration delay)
                ? delay
                : Duration.ofSeconds(1);
    }

    public RunStatus status(RunId id) {
        return workflows().status(id);
    }

    public RunState state(RunId id) {
        return status(id).state();
    }

    /** The kinds of events of one run, in order, each with its step: {@code ENTERED reserve}. */
    public List<String> story(RunId id) {
        return workflows().timeline(id).stream()
                .filter(event -> event.part().equals(id))
                .map(WorkflowRig::line)
                .toList();
    }

    private static String line(RunEvent event) {
        return event.step() == null ? event.kind().name() : event.kind() + " " + event.step();
    }

    private record PlayedJob(JobRow row) implements JobContext {
        @Override
        public JobId id() {
            return JobId.of(row.id());
        }

        @Override
        public String type() {
            return row.spec().type();
        }

        @Override
        public String queue() {
            return row.spec().lane().queue();
        }

        @Override
        public Optional<FrameRef> frame() {
            return Optional.ofNullable(row.spec().frame());
        }

        @Override
        public int attempt() {
            return row.lease().attempt();
        }

        @Override
        public int attemptsMax() {
            return row.spec().tries().attemptsMax();
        }

        @Override
        public long epoch() {
            return row.lease().epoch();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void checkCancelled() {}

        @Override
        public void progress(int percent, String message) {}

        @Override
        public void log(String line) {}

        @Override
        public void settle(String gate, long units) {}

        @Override
        public void beforeCall() {}

        @Override
        public void beforeCall(String gate) {}

        @Override
        public RetryLater pushedBack(String gate, @Nullable Duration retryAfter) {
            return RetryLater.pushedBack(gate, retryAfter);
        }

        @Override
        public RetryLater limiterPushedBack(@Nullable Duration retryAfter) {
            return RetryLater.limiterPushedBack(retryAfter);
        }

        @Override
        public List<JobStatus> children() {
            return List.of();
        }

        @Override
        public <T> List<T> childResults(Class<T> type) {
            return List.of();
        }

        @Override
        public <T> Optional<T> findResult(JobId job, Class<T> type) {
            return Optional.empty();
        }

        @Override
        public Optional<Duration> timeLeft() {
            return Optional.empty();
        }

        @Override
        public Duration leaseLeft() {
            return ScriptedWorker.LEASE;
        }
    }
}
