package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.JobOptions;
import dev.headgate.Worker;
import dev.headgate.cli.text.Near;
import dev.headgate.cli.text.Spoken;
import dev.headgate.job.JobState;
import dev.headgate.job.Names;
import dev.headgate.store.JobFilter;
import dev.headgate.store.QueueCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a worker until it is told to stop. */
@Command(
        name = "work",
        description = "Run a worker for the built-in job types: noop, echo, sleep, fail; http and shell if allowed.",
        footer = {
            "",
            "Examples:",
            "  headgate work --allow-host api.example.com --slots 50",
            "  headgate work --queue chores --allow-shell",
            "",
            "Jobs of a type that no worker may run are set aside until one comes that may; 'headgate help job-types'.",
            "Ctrl-C or SIGTERM stops it in good order: it claims nothing more and lets running jobs finish. A second",
            "one ends it at once; its jobs go to other workers when its lease has ended."
        })
final class WorkCommand implements Callable<Integer> {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Shell shell;
    private final JobTypes jobTypes;
    private final CountDownLatch stop = new CountDownLatch(1);

    @Option(
            names = "--queues",
            paramLabel = "NAME",
            split = ",",
            description = "the queues it serves, with commas between them; 'default' if not given")
    private List<String> listed = List.of();

    @Option(names = "--queue", paramLabel = "NAME", description = "one more queue; its name may have a comma")
    private List<String> named = List.of();

    @Option(names = "--slots", paramLabel = "N", description = "how many jobs it runs at once; 10 if not given")
    private int slots = 10;

    @Option(
            names = "--lease",
            paramLabel = "SPAN",
            description = "how long its jobs stay its own if it is not heard of; 30s if not given")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = "--drain",
            paramLabel = "SPAN",
            description = "how long running jobs may finish when it stops; 30s if not given")
    private Duration drain = Duration.ofSeconds(30);

    @Option(names = "--name", paramLabel = "NAME", description = "what people call it; host and process if not given")
    private @Nullable String name;

    @Option(names = "--once", description = "stop when no job of its queues is left that is due")
    private boolean isOnce;

    @Mixin
    private Permissions permissions = new Permissions();

    WorkCommand(Shell shell, JobTypes jobTypes) {
        this.shell = shell;
        this.jobTypes = jobTypes;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> queues = queues();
        permissions.check();
        try (Headgate headgate = shell.openOrCreate()) {
            noteNewQueues(headgate, queues);
            Journal journal = new Journal(shell);
            jobTypes.register(headgate, journal, permissions);
            Worker worker = headgate.worker(queues.toArray(String[]::new))
                    .slots(slots)
                    .lease(lease)
                    .drain(drain)
                    .name(name == null ? hostAndProcess() : name)
                    .start();
            shell.note("worker %s serves %s with %s on %s"
                    .formatted(
                            worker.id(), String.join(", ", queues), Spoken.count(slots, "slot"), headgate.describe()));
            shell.signals().onFirst(exit -> stop(worker));
            if (isOnce) {
                runDue(headgate, worker, new TreeSet<>(queues));
            } else {
                stop.await();
            }
            worker.stop();
            journal.close();
        }
        return Exit.OK;
    }

    private List<String> queues() {
        List<String> queues = new ArrayList<>(listed);
        queues.addAll(named);
        return queues.isEmpty() ? List.of(JobOptions.QUEUE_DEFAULT) : queues;
    }

    private void stop(Worker worker) {
        int busy = worker.busy();
        shell.note(
                busy == 0
                        ? "stopping"
                        : "stopping: %s running, up to %s to finish; again to end at once"
                                .formatted(Spoken.count(busy, "job"), Spoken.span(drain)));
        stop.countDown();
    }

    /** Idle is not enough: a job that waits for the next token of a gate is due, and its turn comes. */
    private void runDue(Headgate headgate, Worker worker, Set<String> mine) throws InterruptedException {
        while (stop.getCount() > 0) {
            if (worker.awaitIdle(LOOK_EVERY)
                    && jobs(headgate, mine, JobState.QUEUED) == 0
                    && jobs(headgate, mine, JobState.RUNNING) == 0) {
                break;
            }
            stop.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        long later = jobs(headgate, mine, JobState.SCHEDULED);
        if (later > 0) {
            shell.note("%s later: headgate jobs --state scheduled"
                    .formatted(later == 1 ? "1 job is due" : "%,d jobs are due".formatted(later)));
        }
    }

    private static long jobs(Headgate headgate, Set<String> queues, JobState state) {
        return headgate.overview().jobs().stream()
                .filter(count -> count.state() == state && queues.contains(count.queue()))
                .mapToLong(QueueCount::jobs)
                .sum();
    }

    /** Asks for one job of each queue first: looking at everything takes long in a store with a long history. */
    private void noteNewQueues(Headgate headgate, List<String> queues) {
        for (String queue : queues) {
            Names.check("queue", queue);
            if (headgate.list(JobFilter.all().queue(queue).limit(1)).isEmpty()) {
                Set<String> known = Known.in(headgate).queues();
                if (!known.contains(queue) && !Near.names(queue, known).isEmpty()) {
                    shell.note("queue '%s' is new to this store%s".formatted(queue, Near.hint(queue, known)));
                }
            }
        }
    }

    private static String hostAndProcess() {
        String host = "host";
        try {
            host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException notLinux) {
            host = System.getenv().getOrDefault("HOSTNAME", System.getenv().getOrDefault("COMPUTERNAME", host));
        }
        return host + "-" + ProcessHandle.current().pid();
    }
}
