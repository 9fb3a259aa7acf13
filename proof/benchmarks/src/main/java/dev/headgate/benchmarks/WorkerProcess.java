package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A worker in a JVM of its own, whose handlers do nothing; it ends when its input does. */
final class WorkerProcess implements AutoCloseable {
    record Nothing(int n) {}

    static final JobType<Nothing> NOOP = JobType.of("noop", Nothing.class);

    /** Runs for so many milliseconds. */
    static final JobType<Nothing> BUSY = JobType.of("busy", Nothing.class);

    private final Process process;

    private WorkerProcess(Process process) {
        this.process = process;
    }

    /** Starts one; it has registered when this returns. */
    static WorkerProcess start(String url, String queue, int slots) {
        return start(url, queue, slots, List.of("-Xmx512m", "-XX:+UseSerialGC"));
    }

    /** The same with other options of its virtual machine. */
    static WorkerProcess start(String url, String queue, int slots, List<String> options) {
        List<String> command = new ArrayList<>(
                List.of(ProcessHandle.current().info().command().orElse("java"), "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                Objects.requireNonNull(System.getProperty("java.class.path")),
                WorkerProcess.class.getName(),
                url,
                queue,
                Integer.toString(slots)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String ready = process.inputReader().readLine();
            if (!"ready".equals(ready)) {
                throw new IllegalStateException("worker process: expected 'ready', got " + ready);
            }
            return new WorkerProcess(process);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public static void main(String[] args) throws IOException {
        try (Headgate headgate = Headgate.open(args[0])) {
            headgate.handle(NOOP, (payload, job) -> {});
            headgate.handle(BUSY, (payload, job) -> Thread.sleep(payload.n()));
            try (Worker worker =
                    headgate.worker(args[1]).slots(Integer.parseInt(args[2])).start()) {
                System.out.println("ready");
                System.out.flush();
                while (System.in.read() >= 0) {
                    // until the parent closes our input
                }
                worker.stopNow();
            }
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
