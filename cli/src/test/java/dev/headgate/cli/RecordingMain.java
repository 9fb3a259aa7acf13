package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.cli.workers.EnvironmentHandOver;
import dev.headgate.cli.workers.JobPermissions;
import dev.headgate.cli.workers.WorkLog;
import dev.headgate.handler.JobContext;
import dev.headgate.job.JobType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The command with one more job type, which only tests have: it writes down when a handler really ran. */
public final class RecordingMain {
    public static final JobType<Recorded> RECORD = JobType.of("record", Recorded.class);

    /** Names the exit code with which every supervised process ends at once. */
    public static final String CRASHING = "HEADGATE_TEST_CRASHING";

    /** Runs this long the first time, and does not mind that it is interrupted. */
    public static final long STUBBORN_MS = 600_001;

    private static final long BRIEF_MS = 20;

    private RecordingMain() {}

    /** Where to write, and how long to run the first time; a job that lost its worker is brief. */
    public record Recorded(String file, long ms) {}

    public static void main(String[] arguments) {
        EnvironmentHandOver handover = EnvironmentHandOver.received(System.in, System.getenv());
        String crashing = handover.environment().get(CRASHING);
        if (crashing != null && List.of(arguments).contains("--supervised")) {
            System.exit(Integer.parseInt(crashing));
        }
        System.exit(new Cli(Main.standardShell(handover.environment()), RecordingMain::register)
                .run(handover.with(arguments)));
    }

    private static void register(Headgate headgate, WorkLog journal, JobPermissions permissions) {
        BuiltInJobs.register(headgate, journal, permissions);
        headgate.handle(RECORD, (recorded, job) -> {
            write(recorded, job, "START");
            long ms = job.epoch() == 1 ? recorded.ms() : Math.min(recorded.ms(), BRIEF_MS);
            boolean never = ms == STUBBORN_MS ? sleptOn(ms) : new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS);
            write(recorded, job, never ? "NEVER" : "END");
        });
    }

    private static boolean sleptOn(long ms) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (end - System.nanoTime() > 0) {
            try {
                var unused = new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS);
            } catch (InterruptedException unheard) {
                // That is what it is for.
            }
        }
        return false;
    }

    /** One write at the end of the file: lines of several processes come whole, and in the order they were written. */
    private static void write(Recorded recorded, JobContext job, String what) throws IOException {
        String line = "%d,%s,%d,%s\n".formatted(ProcessHandle.current().pid(), job.id(), job.epoch(), what);
        Files.write(
                Path.of(recorded.file()),
                line.getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
