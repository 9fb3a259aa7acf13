package dev.headgate.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.chaos.Load.Manner;
import dev.headgate.chaos.Load.Work;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One store, some worker processes and a client in this process; at its end everything is judged. */
final class Scene implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int TENANT_STEP = Load.TENANTS * 4;

    private final String url;
    private final Folder folder;
    private final Trail trail;
    private final Headgate headgate;
    private final List<Jvm> workers = new ArrayList<>();
    private long numbers;

    Scene(String url, Path root) {
        this.url = url;
        this.folder = Folder.fresh(root.resolve("scene"));
        this.trail = new Trail(folder.client());
        this.headgate = Headgate.open(url);
        Load.policies(headgate, 0, "margin none");
    }

    Headgate headgate() {
        return headgate;
    }

    Folder folder() {
        return folder;
    }

    /** A worker process; it is at work when this returns. */
    Jvm worker() throws InterruptedException {
        Jvm worker = begin();
        assertThat(worker.awaitReady(PATIENCE.toSeconds()))
                .as("a worker started")
                .isTrue();
        return worker;
    }

    /** The same, without waiting. */
    Jvm begin() {
        String name = "worker-" + workers.size();
        Jvm worker = new Jvm.Launch(
                        WorkerMain.class, List.of(url, folder.root().toString(), name, "0"), log(workers.size()))
                .start();
        workers.add(worker);
        return worker;
    }

    private Path log(int worker) {
        return folder.root().resolve("worker-" + worker + ".log");
    }

    /** A job of the gates {@code api} and {@code tenant:1}. */
    JobId ask(long ms, long againMs, Manner manner) {
        Work work = new Work(1 + TENANT_STEP * ++numbers, ms, againMs, manner);
        return Objects.requireNonNull(ClientMain.ask(headgate, trail, work), "the store was away");
    }

    /** The same, where the answer may get lost. */
    void askInDoubt(long ms) {
        ClientMain.ask(headgate, trail, new Work(1 + TENANT_STEP * ++numbers, ms, 20, Manner.PLAIN));
    }

    JobStatus await(JobId id) throws InterruptedException {
        return headgate.await(id, PATIENCE).orElseThrow(() -> new AssertionError("expected an end of job " + id));
    }

    JobStatus find(JobId id) {
        return headgate.find(id).orElseThrow();
    }

    void awaitLine(JobId job, long epoch, String what) {
        String middle = ",%s,%d,%s,".formatted(job, epoch, what);
        await(
                "line " + middle,
                () -> Trail.read(folder.handlers()).stream()
                        .anyMatch(line -> String.join(",", line).contains(middle)));
    }

    /** What this worker says to people. */
    void awaitRemark(int worker, String words) {
        await("'%s' from worker %d".formatted(words, worker), () -> {
            try {
                return Files.readString(log(worker)).contains(words);
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    static void await(String what, BooleanSupplier happens) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!happens.getAsBoolean()) {
            if (until - System.nanoTime() < 0) {
                throw new AssertionError("expected %s within %s".formatted(what, PATIENCE));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** SIGSTOP, but not while the worker holds the one write lock of a SQLite file: no other process could go on. */
    static void stop(Jvm worker) throws IOException {
        worker.signal("STOP");
        while (holdsWriteLock(worker)) {
            worker.signal("CONT");
            worker.signal("STOP");
        }
    }

    private static boolean holdsWriteLock(Jvm worker) throws IOException {
        Path locks = Path.of("/proc/locks");
        if (!Files.isReadable(locks)) {
            return false;
        }
        String held = " WRITE %d ".formatted(worker.pid());
        return Files.readAllLines(locks).stream()
                .anyMatch(line -> line.replaceAll(" +", " ").contains(held) && line.endsWith(" 120 120"));
    }

    /** Stops the workers in good order and judges everything that happened. */
    Report judge() throws InterruptedException {
        for (Jvm worker : workers) {
            worker.signal("CONT");
            if (!worker.awaitExit(0)) {
                worker.awaitReady(PATIENCE.toSeconds()); // one that is told before cannot say goodbye
            }
            worker.signal("TERM");
        }
        for (Jvm worker : workers) {
            assertThat(worker.awaitExit(PATIENCE.toSeconds()))
                    .as("a worker ended")
                    .isTrue();
        }
        Report report = new Report("scene");
        new Judge(headgate, folder, report).conclude(new HashMap<>());
        return report;
    }

    @Override
    public void close() throws InterruptedException {
        for (Jvm worker : workers) {
            worker.kill();
        }
        headgate.close();
        trail.close();
    }
}
