package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.Program;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.internal.workflow.RunStore.NewRun;
import dev.headgate.job.Attributes;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobStatus;
import dev.headgate.proof.simulation.Programs.Signal;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.Started;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Starts runs of workflows, and signals, pauses, tops up, cancels, retries and rewinds them. */
final class Conductor {
    private static final long SECOND = 1_000_000_000L;
    private static final int NEWEST = 20;

    private final Options options;
    private final Timeline timeline;
    private final Judge judge;
    private final RunWatch watch;
    private final Programs programs;
    private final Tracks tracks;
    private final JobStore jobs;
    private final RunStore runs;
    private final Dice dice;
    private final List<RunId> acknowledged = new ArrayList<>();
    private long tokens;
    private final Set<RunId> unanswered = new LinkedHashSet<>();
    private final Set<RunId> timed = new HashSet<>();
    private boolean isBusy;
    private boolean isHealing;

    Conductor(World.Parts parts, Store store, Programs programs) {
        this.options = parts.options();
        this.timeline = parts.timeline();
        this.judge = parts.judge();
        this.watch = parts.runs();
        this.tracks = parts.tracks();
        this.jobs = new JobStore(store.plain(), timeline::now);
        this.programs = programs;
        Host host = new Host("conductor");
        host.up();
        this.dice = Dice.of(options.seed(), 950);
        this.runs = new RunStore(new Line(host, store, Dice.of(options.seed(), 951)));
    }

    void open() {
        if (options.runsMax() > 0) {
            timeline.after(6_000_000, null, this::act);
        }
    }

    private void act() {
        if (isHealing) {
            return;
        }
        timeline.after(dice.between(1, 2 * options.runEveryNanos()), null, this::act);
        if (isBusy) {
            return;
        }
        attempt(() -> {
            if (dice.oneIn(2) && !acknowledged.isEmpty()) {
                int newest = Math.min(acknowledged.size(), dice.oneIn(2) ? NEWEST : NEWEST / 4);
                operate(acknowledged.get(acknowledged.size() - 1 - dice.below(newest)));
            } else if (watch.live() < options.runsMax()) {
                start();
            }
        });
    }

    private void attempt(Runnable what) {
        isBusy = true;
        try {
            what.run();
        } catch (StoreUnavailableException away) {
            // Done or not: the caller cannot know, and the checkers have seen it.
        } catch (BudgetExceededException refused) {
            judge.mixed(Judge.OPERATE, timeline.now());
        } finally {
            isBusy = false;
        }
    }

    private void start() {
        Workflow<Doc, Doc> workflow = dice.pick(programs.all());
        Doc input = new Doc(++tokens, 0, 0, 0, 1 + dice.below(4));
        Program<Doc> program = Program.of(workflow);
        Move.To first = program.begin(World.CODEC, List.of(input)).getFirst();
        String key = dice.oneIn(4) ? "key " + dice.below(4) : null;
        RunBudget budget = budget();
        Started started = runs.start(List.of(new NewRun(program.definition(), key, 0, Attributes.NONE, budget, first)))
                .getFirst();
        acknowledged.add(started.id());
        if (started.isNew() && budget.limit(Guardrail.WALL_TIME) < Guardrail.WALL_TIME.most()) {
            timed.add(started.id());
        }
        if (watch.find(started.id().value()) == null) {
            judge.broken("I1", "run %s: acknowledged, but it was never stored".formatted(started.id()));
        }
    }

    /** Wide, or so small that most runs meet it. */
    private RunBudget budget() {
        return switch (dice.below(8)) {
            case 0 -> RunBudget.STANDARD.maxAttempts(1 + dice.below(8));
            case 1 -> RunBudget.STANDARD.maxCostUnits(1 + dice.below(16));
            case 2 -> RunBudget.STANDARD.maxTransitions(2 + dice.below(14));
            case 3 -> RunBudget.STANDARD.maxFanOutItems(1 + dice.below(5));
            case 4 -> RunBudget.STANDARD.maxChildRuns(1 + dice.below(4)).maxAttempts(4 + dice.below(12));
            case 5 -> RunBudget.STANDARD.maxWallTime(Duration.ofMillis(500 + dice.below(9_000)));
            default -> RunBudget.STANDARD;
        };
    }

    private void operate(RunId run) {
        judge.mixed(Judge.OPERATE, run.value());
        switch (dice.below(16)) {
            case 0, 1, 2 -> signal(run);
            case 3 -> runs.pause(run, "simulated");
            case 4, 5 -> resume(run);
            case 6, 12 -> runs.cancel(run, "simulated");
            case 7, 8 -> runs.retry(run, "simulated");
            case 13, 14, 15 -> rewind(run);
            case 9, 10 -> {
                Guardrail guardrail = dice.pick(List.of(Guardrail.values()));
                int by = 1 + dice.below(6);
                // What is unlimited cannot rise: the store refuses it.
                if (guardrail != Guardrail.WALL_TIME || timed.contains(run)) {
                    runs.topUp(run, guardrail, by, "simulated");
                }
                resume(run);
            }
            default -> {
                runs.tree(run);
                runs.timeline(run);
            }
        }
    }

    /** A caller without an answer asks again, if only when all is well. */
    private void resume(RunId run) {
        unanswered.add(run);
        runs.resume(run, "simulated");
        unanswered.remove(run);
    }

    private void rewind(RunId run) {
        try {
            runs.rewind(run, dice.pick(Programs.STEPS), "simulated");
        } catch (IllegalArgumentException notEntered) {
            judge.mixed(Judge.OPERATE, run.value());
        }
    }

    private void signal(RunId run) {
        runs.signal(run, Programs.SIGNAL, World.CODEC.write("signal", new Signal(1)));
    }

    /**
     * Nothing new comes, and everything that only a caller can move is moved: again and again, until every run has
     * ended.
     */
    void heal() {
        isHealing = true;
        if (options.runsMax() > 0) {
            nurse();
        }
    }

    private void nurse() {
        if (!watch.isAnyLive()) {
            return;
        }
        if (!isBusy) {
            attempt(() -> {
                watch.all().forEach(this::help);
                List.copyOf(unanswered).forEach(this::resume);
            });
        }
        timeline.after(SECOND, null, this::nurse);
    }

    private void help(RunPart part) {
        if (part.hasEnded()) {
            return;
        }
        RunState halt = part.row.guard().halt();
        RunId run = RunId.of(part.row.tree().run());
        if (halt == RunState.PAUSED) {
            resume(run);
        } else if (halt == RunState.BUDGET_EXCEEDED || isStoppedAlone(part)) {
            runs.cancel(run, "healed");
        } else if (part.row.waits().awaits() != null) {
            signal(run);
        }
    }

    /** Stopped by the budget of a run that has spawned it and ended. */
    private static boolean isStoppedAlone(RunPart part) {
        return part.row.position().state() == RunState.BUDGET_EXCEEDED
                && part.tree.root().hasEnded();
    }

    private List<JobStatus> jobsOf(RunPart part) {
        List<JobStatus> live = new ArrayList<>();
        tracks.each(track -> {
            FrameRef frame = track.spec.frame();
            if (track.isLive() && frame != null && frame.frame() == part.id) {
                live.add(Objects.requireNonNull(jobs.find(JobId.of(track.id))));
            }
        });
        return live;
    }

    /** I1 and I18 for runs: when all is done, all of them are there and have ended. */
    void lookAround() {
        for (RunId run : acknowledged) {
            RunPart root = watch.find(run.value());
            if (runs.find(run) == null && (root == null || !root.isPruned)) {
                judge.broken("I1", "run %s: acknowledged, and nowhere to be found".formatted(run));
            }
        }
        for (RunPart part : watch.all()) {
            if (!part.hasEnded()) {
                judge.broken(
                        "I18",
                        "%s: nothing has moved since all is well, and it has not ended: %s; jobs %s"
                                .formatted(part, part.row, jobsOf(part)));
            }
        }
    }
}
