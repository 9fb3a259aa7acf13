package dev.headgate.proof.differential;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One store with its workers. Applies commands and says what came of them, in words that are the same for any store. */
final class World implements AutoCloseable {
    private final VirtualTime time;
    private final Rig rig;
    private final Numbers numbers = new Numbers();
    private final Recurring recurring;
    private final @Nullable Promises promises;
    private final List<ScriptedWorker> workers = new ArrayList<>();
    private final List<JobRow> everLeased = new ArrayList<>();
    private int registered;
    private @Nullable Duration lastNext;

    /** @param isWatched whether the promises are checked; one of two stores that say the same is enough */
    World(Backend backend, VirtualTime time, boolean isWatched) {
        this.time = time;
        this.rig = new Rig(backend, time);
        this.recurring = new Recurring(rig, numbers);
        this.promises = isWatched ? new Promises(rig.store()) : null;
        for (int i = 0; i < Script.WORKERS; i++) {
            workers.add(register());
        }
    }

    private ScriptedWorker register() {
        registered++;
        // Each serves two of the three queues, so every queue has two workers and every worker misses one.
        String[] queues = new String[] {
            Script.QUEUES.get(registered % Script.QUEUES.size()),
            Script.QUEUES.get((registered + 1) % Script.QUEUES.size())
        };
        return rig.register("w" + registered, queues);
    }

    Rig rig() {
        return rig;
    }

    Numbers numbers() {
        return numbers;
    }

    String apply(Command command) {
        lookAtTheClock();
        try {
            return answer(command);
        } catch (WorkerLostException lost) {
            return "worker lost";
        } catch (BacklogFullException full) {
            return "full: " + full.getMessage();
        } catch (IllegalArgumentException refused) {
            return "refused: " + numbers.named(String.valueOf(refused.getMessage()));
        }
    }

    private void lookAtTheClock() {
        if (promises != null) {
            promises.timeIs(time.micros());
        }
    }

    private String answer(Command command) {
        return switch (command) {
            case Command.Enqueue(var jobs) -> enqueued(rig.store().enqueue(jobs));
            case Command.EnqueueAfter after -> enqueued(rig.store().enqueue(tied(after)));
            case Command.Claim(int worker, int slots) -> claim(workers.get(worker), slots);
            case Command.Turn turn -> turn(workers.get(turn.worker()), turn);
            case Command.Zombie(int worker, int pick) -> zombie(workers.get(worker), pick);
            case Command.Report(int worker, int pick) -> report(workers.get(worker), pick);
            case Command.Heartbeat(int worker) -> heartbeat(workers.get(worker));
            case Command.Crash(int worker) -> replace(worker);
            case Command.Leave(int worker) -> {
                workers.get(worker).leave();
                yield replace(worker);
            }
            case Command.Reap() -> "reaped " + rig.store().reap();
            case Command.Operate(var operation, int pick) -> operate(operation, pick);
            case Command.Redrive(var queue) ->
                "redriven "
                        + rig.store()
                                .redrive(
                                        queue == null
                                                ? JobFilter.all()
                                                : JobFilter.all().queue(queue));
            case Command.Prune(var olderThan) -> "pruned " + rig.store().prune(olderThan);
            case Command.Policy(String key, String limits) -> {
                rig.policy(key, limits);
                if (promises != null) {
                    promises.policyChanged(Rig.key(key));
                }
                yield "set";
            }
            case Command.Hold(String gate, var span) ->
                "held " + rig.store().hold(GateKey.gate(gate), span, "held by the script");
            case Command.Clear(String gate) -> {
                rig.store().clear(GateKey.gate(gate));
                if (promises != null) {
                    promises.policyChanged(GateKey.gate(gate));
                }
                yield "cleared";
            }
            case Command.Pause(var what) -> {
                rig.store().policyStore().pause(what, "script", "why not");
                yield "paused";
            }
            case Command.Resume(var what) ->
                "resumed " + rig.store().policyStore().resume(what);
            case Command.PutSchedule(int number, var terms) ->
                "" + rig.schedules().put("s" + number, terms);
            case Command.SwitchSchedule(int number, var how) -> recurring.change("s" + number, how);
            case Command.Fire() -> recurring.fire();
            case Command.Advance(var by) -> "";
            case Command.StepBack(var by) -> "";
        };
    }

    /** Picks from the newest, which are more often still there. */
    private List<NewJob> tied(Command.EnqueueAfter command) {
        List<NewJob> jobs = new ArrayList<>();
        int last = command.jobs().size() - 1;
        for (int place = 0; place <= last; place++) {
            List<Need> needs = new ArrayList<>();
            for (int pick : command.picks()) {
                if (numbers.count() > 0) {
                    int newest = numbers.count() - 1 - (pick + place) % Math.min(8, numbers.count());
                    needs.add(new Need.Job(JobId.of(numbers.id(newest)), command.unmet()));
                }
            }
            for (int child = 0; place == last && child < last; child++) {
                needs.add(new Need.Mate(child, command.unmet(), true));
            }
            NewJob job = command.jobs().get(place);
            jobs.add(new NewJob(job.spec(), job.due(), needs));
        }
        return jobs;
    }

    private String enqueued(List<Inserted> rows) {
        List<String> said = new ArrayList<>();
        rows.forEach(row -> said.add((row.isNew() ? "new " : "old ") + numbers.of(row.id())));
        return said.toString();
    }

    private String claim(ScriptedWorker worker, int slots) {
        StringBuilder said = new StringBuilder();
        int left = slots;
        Duration next;
        int turns = 0;
        do {
            Turn turn = worker.turn(left);
            left -= turn.started().size();
            next = turn.nextWake();
            said.append(said(turn, List.of())).append(' ');
            if (++turns > 200) {
                throw new AssertionError("worker %s: told 200 times to look again at once: %s"
                        .formatted(worker.id(), said(turn, List.of())));
            }
        } while (left > 0 && Duration.ZERO.equals(next));
        lastNext = next;
        if (left > 0 && promises != null) {
            Idling.check(rig.store(), worker.queues());
        }
        return said.toString();
    }

    private String turn(ScriptedWorker worker, Command.Turn command) {
        Map<JobId, EndedLease> ended = new LinkedHashMap<>();
        for (Command.Return back : command.returns()) {
            List<JobId> held = held(worker);
            if (!held.isEmpty()) {
                JobId id = held.get(back.pick() % held.size());
                ended.putIfAbsent(id, ended(worker.lease(id), back));
            }
        }
        List<EndedLease> all = List.copyOf(ended.values());
        return said(worker.turn(command.slots(), all.toArray(EndedLease[]::new)), all);
    }

    /** In the order of their numbers: restarts come in no promised order, and both stores must pick the same. */
    private static List<JobId> held(ScriptedWorker worker) {
        return worker.holding().stream()
                .sorted(Comparator.comparingLong(JobId::value))
                .toList();
    }

    private EndedLease ended(JobRow lease, Command.Return back) {
        List<String> gates = lease.spec().lane().gates();
        Outcome outcome = outcome(back, lease);
        if (back.way() != Command.Way.SETTLE || gates.isEmpty()) {
            return new EndedLease(lease, outcome);
        }
        // Only ever more than charged: then what was promised of the charges holds as well.
        String gate = gates.get(back.pick() % gates.size());
        return new EndedLease(lease, outcome, Map.of(gate, lease.spec().cost().at(gate) + back.pick() % 3));
    }

    private Outcome pushedBack(JobRow lease, int pick, String error) {
        List<String> gates = lease.spec().lane().gates();
        Duration wait = pick % 3 == 0 ? null : Duration.ofMillis(pick % 900);
        return gates.isEmpty()
                ? new Outcome.HandedBack()
                : new Outcome.PushedBack(gates.get(pick % gates.size()), wait, pick * 900, error);
    }

    private Outcome outcome(Command.Return back, JobRow lease) {
        JobId id = JobId.of(lease.id());
        String error = "error of no. " + numbers.of(id.value());
        return switch (back.way()) {
            case PUSH_BACK -> pushedBack(lease, back.pick(), error);
            case SUCCEED, SETTLE -> new Outcome.Succeeded("\"result\"");
            case FAIL -> new Outcome.Failed(error);
            case RETRY_NOW -> new Outcome.RetryAfter(Duration.ZERO, error);
            case RETRY_LATER -> new Outcome.RetryAfter(Duration.ofMillis(700), error);
            case RETRY_AT -> new Outcome.RetryAt(time.now().plusSeconds(2), error);
            case HAND_BACK -> new Outcome.HandedBack(back.pick() % 2 == 0 ? null : "trouble " + back.pick() % 3);
            case PARK -> new Outcome.Parked(ParkReason.UNREADABLE_PAYLOAD, error);
            case STOP -> new Outcome.Cancelled("stopped");
        };
    }

    /** Also hands the turn to the promises: what ended first, then what started. */
    private String said(Turn turn, List<EndedLease> ended) {
        if (promises != null) {
            promises.ended(ended, turn.refused());
            turn.started().forEach(row -> promises.started(row, time.micros()));
        }
        everLeased.addAll(turn.started());
        TreeSet<Integer> refused = new TreeSet<>();
        turn.refused().forEach(id -> refused.add(numbers.of(id)));
        TreeSet<String> wakes = new TreeSet<>();
        turn.wakes().forEach(wake -> wakes.add(wake.toString()));
        return "started %s refused %s next %s wakes %s"
                .formatted(started(turn, ended), refused, turn.nextWake(), wakes);
    }

    /** Restarts come first and in no promised order among themselves. */
    private List<String> started(Turn turn, List<EndedLease> ended) {
        TreeSet<String> again = new TreeSet<>();
        List<String> leased = new ArrayList<>();
        for (JobRow row : turn.started()) {
            String name = "%d@%d".formatted(numbers.of(row.id()), row.lease().epoch());
            boolean isAgain = ended.stream().anyMatch(each -> each.lease().id() == row.id());
            (isAgain ? again : leased).add(name);
        }
        List<String> all = new ArrayList<>(again);
        all.addAll(leased);
        return all;
    }

    private String zombie(ScriptedWorker worker, int pick) {
        if (everLeased.isEmpty()) {
            return "nothing";
        }
        JobRow old = everLeased.get(pick % everLeased.size());
        List<EndedLease> ended = List.of(new EndedLease(old, new Outcome.Succeeded("\"zombie\"")));
        return said(worker.turn(0, ended.getFirst()), ended);
    }

    private String report(ScriptedWorker worker, int pick) {
        List<JobId> held = held(worker);
        if (held.isEmpty()) {
            return "nothing";
        }
        JobId id = held.get(pick % held.size());
        return "reported " + worker.report(id, new Progress(pick % 100, "part"), "line " + pick);
    }

    private String heartbeat(ScriptedWorker worker) {
        TreeSet<Integer> toStop = new TreeSet<>();
        var beat = worker.heartbeat();
        beat.toStop().forEach(id -> toStop.add(numbers.of(id)));
        return "stop %s, reap due %s".formatted(toStop, beat.isReapDue());
    }

    private String replace(int worker) {
        workers.set(worker, register());
        return "registered " + workers.get(worker).id();
    }

    private String operate(Command.Operation operation, int pick) {
        if (numbers.count() == 0) {
            return "nothing";
        }
        JobId id = JobId.of(numbers.id(pick % numbers.count()));
        return switch (operation) {
            case CANCEL -> "" + rig.store().cancel(id);
            case DELETE -> "" + rig.store().delete(id);
            case RETRY -> "" + rig.store().retry(id);
            case NOW -> "" + rig.store().reschedule(id, null);
            case LATER -> "" + rig.store().reschedule(id, time.now().plusMillis(1500));
        };
    }

    /** One round of healing: what was said, how long to sleep after it, and whether nothing is left to wait for. */
    record Round(String said, Duration pause, boolean isOver) {}

    void beginHealing() {
        rig.store().reap();
        rig.store()
                .policyStore()
                .pauses()
                .forEach(row -> rig.store().policyStore().resume(row.pause()));
        workers.clear();
        workers.add(rig.register("healer", Script.QUEUES.toArray(String[]::new)));
    }

    Round heal() {
        lookAtTheClock();
        ScriptedWorker healer = workers.getFirst();
        String said = claim(healer, 3);
        boolean isIdle = healer.holding().isEmpty();
        Duration next = lastNext;
        List<EndedLease> ended = List.of(healer.ended());
        said += said(healer.turn(0, healer.ended()), ended);
        return new Round(said, isIdle && next != null ? next : Duration.ZERO, isIdle && next == null);
    }

    void stayAlive(Duration during) {
        workers.getFirst().stayAlive(during);
    }

    /** Names a job that waits for ever, if one does. */
    @Nullable
    String stuck() {
        for (JobStatus job : rig.store().list(JobFilter.all().limit(JobFilter.LIMIT_MAX))) {
            if (!job.state().isTerminal() && job.state() != JobState.PARKED && !isKept(job)) {
                return "job %d never ends: %s".formatted(numbers.of(job.id().value()), rig.explain(job.id()));
            }
        }
        return null;
    }

    /** Waits for one that is set aside, or that waits in its turn. */
    private boolean isKept(JobStatus job) {
        return job.state() == JobState.AWAITING
                && rig.store().dependencies().of(job.id()).stream()
                        .anyMatch(edge -> edge.isOpen()
                                && (edge.state() == JobState.PARKED || edge.state() == JobState.AWAITING));
    }

    @Override
    public void close() {
        rig.close();
    }
}
