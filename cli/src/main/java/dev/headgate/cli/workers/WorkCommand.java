package dev.headgate.cli.workers;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.WorkerBuilder;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.text.NearestName;
import dev.headgate.internal.text.Served;
import dev.headgate.job.JobFilter;
import dev.headgate.resource.PoolBounds;
import dev.headgate.server.api.KnownNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a worker until it is told to stop. */
@Command(
        name = "work",
        description = "Run a worker for the built-in job types: noop, echo, sleep, fail; http and shell if allowed.",
        footer = {
            "",
            "Examples:",
            "  headgate work --allow-host api.example.com --slots 50",
            "  headgate work --queue chores --allow-shell --shell-user nobody",
            "  headgate work --queues mail=3,reports=1 --serve weighted --min-slots 2 --max-slots 64",
            "  headgate work --queues 'urgent,site:*'     (all queues that begin so, also those that come later)",
            "  headgate work --processes 2..6 --slots 20",
            "  headgate work --limit \"window 10/1s\" --limit \"concurrency 3\" --memory 512MB",
            "  headgate work --once --for 50s       (from cron, every minute)",
            "",
            "Jobs of a type that no worker may run are set aside until one comes that may; 'headgate help job-types'.",
            "It starts only what fits its memory, if that is not ignored, and, with --for, its time. Of several processes",
            "each has its --limit, --memory, --margin and --amount for itself.",
            "Ctrl-C or SIGTERM stops it in good order: it claims nothing more and lets running jobs finish. A second",
            "one interrupts them and hands them back, without a burnt attempt. A third ends it at once; its jobs go to",
            "other workers when its lease has ended."
        })
public final class WorkCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final JobTypes jobTypes;
    private final CountDownLatch stop = new CountDownLatch(1);

    @Mixin
    private QueueOptions queueChoices = new QueueOptions();

    @Mixin
    private PoolOptions pool = new PoolOptions();

    @Mixin
    private OwnLimitOptions ownLimits = new OwnLimitOptions();

    @Option(
            names = "--lease",
            paramLabel = "SPAN",
            description = "how long its jobs stay its own if it is not heard of; 30s if not given")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = "--lost-max",
            paramLabel = "N",
            description = "how many workers a job may lose before it fails; 3 if not given")
    private int lostMax = WorkerBuilder.LOST_MAX;

    @Option(
            names = "--drain",
            paramLabel = "SPAN",
            description = "how long running jobs may finish when it stops; 30s if not given")
    private Duration drain = Duration.ofSeconds(30);

    @Option(names = "--name", paramLabel = "NAME", description = "what people call it; host and process if not given")
    private @Nullable String name;

    @Option(
            names = "--for",
            paramLabel = "SPAN",
            description = "stop after this time, and start only what is expected to be done by then")
    private @Nullable Duration time;

    @Option(names = "--once", description = "stop when no job of its queues is left that is due")
    private boolean isOnce;

    @Option(names = "--supervised", hidden = true, description = "stop with the parent, which holds standard input")
    private boolean isSupervised;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private JobPermissions permissions = new JobPermissions();

    public WorkCommand(CommandContext shell, JobTypes jobTypes) {
        this.shell = shell;
        this.jobTypes = jobTypes;
    }

    @Override
    public Integer call() throws InterruptedException {
        shell.sayNothingMeanwhile();
        List<String> queues = queueChoices.queues();
        PoolBounds slots = pool.slots();
        PoolBounds processes = pool.processes();
        ownLimits.check();
        permissions.check(shell.environment());
        if (permissions.isShellAtHome() && !EnvironmentHandOver.isMarked(System.getenv())) {
            shell.note(
                    "shell jobs can read the environment and the arguments that this process was started with, and the store's password if it is there; start it with ./headgate, which hides them, or give --shell-user");
        }
        if (processes != null && isOnce) {
            throw CommandException.usage(
                    "expected one of --once and --processes, got both; run --once several times instead");
        }
        queueChoices.serve();
        try (Headgate headgate =
                shell.openOrCreate(imagined -> wanted(imagined, queues, slots).check())) {
            if (!isSupervised) {
                noteNewQueues(headgate, queues);
            }
            if (processes != null) {
                supervise(headgate, processes, slots);
                return ExitCode.OK;
            }
            WorkLog journal = new WorkLog(shell);
            jobTypes.register(headgate, journal, permissions);
            headgate.listen(journal::hear);
            WorkDuration outing = new WorkDuration(shell, stop, time);
            Worker worker = wanted(headgate, queues, slots).start();
            shell.note("worker %s serves %s with %s on %s"
                    .formatted(
                            worker.id(),
                            String.join(", ", queues),
                            (slots.isFixed() ? "" : slots.min() + " to ") + Wording.count(slots.max(), "slot"),
                            headgate.describe()));
            shell.signals().onFirstAndSecond(exit -> stop(worker), () -> handBack(worker));
            if (isSupervised) {
                ParentWatch.start(shell.in(), new Obedience(worker));
            }
            if (isOnce) {
                outing.runDue(headgate, worker, new TreeSet<>(queues));
            } else {
                outing.last(worker);
            }
            worker.stop();
            journal.close();
        }
        return ExitCode.OK;
    }

    private WorkerBuilder wanted(Headgate headgate, List<String> queues, PoolBounds slots) {
        WorkerBuilder wanted = headgate.worker(queues.toArray(String[]::new))
                .slots(slots)
                .serving(queueChoices.serve())
                .lease(lease)
                .lostMax(lostMax)
                .drain(drain)
                .name(name == null ? hostAndProcess() : name);
        ownLimits.on(wanted);
        return time == null ? wanted : wanted.finishWithin(time);
    }

    private void supervise(Headgate headgate, PoolBounds processes, PoolBounds slots) throws InterruptedException {
        List<String> arguments = Objects.requireNonNull(spec, "set by picocli")
                .root()
                .commandLine()
                .getParseResult()
                .originalArgs();
        Supervisor.Team team =
                new Supervisor.Team(name == null ? hostAndProcess() : name, queueChoices.queues(), slots.max(), drain);
        new Supervisor(shell, headgate.demand(), team, processes, new ChildProcess(arguments, shell)).run();
    }

    /** Reacts to its supervisor. */
    private final class Obedience implements ParentWatch.Reaction {
        private final Worker worker;

        private Obedience(Worker worker) {
            this.worker = worker;
        }

        @Override
        public void stop(String why) {
            WorkCommand.this.stop.countDown();
        }

        @Override
        public void stopNow() {
            worker.stopNow();
        }
    }

    private void stop(Worker worker) {
        int busy = worker.busy();
        shell.note(
                busy == 0
                        ? "stopping"
                        : "stopping: %s running, up to %s to finish; again to hand back what runs"
                                .formatted(Wording.count(busy, "job"), Wording.span(drain)));
        stop.countDown();
    }

    /** On the thread of the signal: that of the command waits for running jobs. */
    private void handBack(Worker worker) {
        shell.note("%s interrupted and handed back; again to end at once"
                .formatted(Wording.count(worker.busy(), "running job")));
        worker.stopNow();
    }

    /** Asks for one job of each queue first: reading everything takes long in a store with a long history. */
    private void noteNewQueues(Headgate headgate, List<String> queues) {
        for (String queue : queues) {
            if (Served.isPattern(queue)) {
                notePattern(headgate, queue);
            } else if (headgate.page(JobFilter.all().queue(queue).limit(1))
                    .jobs()
                    .isEmpty()) {
                Set<String> known = KnownNames.in(headgate).queues();
                if (!known.contains(queue) && !NearestName.names(queue, known).isEmpty()) {
                    shell.note("queue '%s' is new to this store%s".formatted(queue, NearestName.hint(queue, known)));
                }
            }
        }
    }

    private void notePattern(Headgate headgate, String pattern) {
        boolean isAny = KnownNames.in(headgate).queues().stream()
                .anyMatch(queue -> !Served.isPattern(queue) && Served.covers(pattern, queue));
        if (!isAny) {
            shell.note("queues '%s': no queue of this store begins so yet; the worker serves those that come"
                    .formatted(pattern));
        }
    }

    /** With a few random letters: host and process number of two containers can be equal. */
    private String hostAndProcess() {
        String host = "host";
        try {
            host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException notLinux) {
            Map<String, String> environment = shell.environment();
            host = environment.getOrDefault("HOSTNAME", environment.getOrDefault("COMPUTERNAME", host));
        }
        return "%s-%d-%s".formatted(host, ProcessHandle.current().pid(), ChildProcess.mark());
    }
}
