package dev.headgate.builtin;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobFunction;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.text.Text;
import dev.headgate.limit.Spans;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code shell} jobs: {@code headgate.handleWithResult(ShellJob.TYPE, new ShellRuns(List.of()))}. Every program that
 * can enqueue can then run any command as this worker's user, so register it only where that is meant. What this user
 * may read, a command may read: the memory of this process, its files, and on Linux the environment that it was started
 * with. Only another
 * {@link ShellUser} keeps commands out of these.
 *
 * <p>Exit code 0 means done, with a {@link ShellAnswer} as result; the job's retry code (75) means later; any other
 * fails the attempt, which is tried again by the job's retry policy. When the command has ended, ran too long or its
 * job is stopped, everything it started is ended too: first asked, two seconds later killed. What it writes is logged
 * line by line. Thread-safe.
 */
public final class ShellRuns implements JobFunction<ShellJob> {
    /** Variables of the worker that commands get: where programs and homes are, language and time zone. */
    public static final Set<String> PASSED = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "TEMP",
            "TMP",
            "SYSTEMROOT",
            "COMSPEC",
            "PATHEXT");

    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final Duration FOR_EVER = Duration.ofDays(10_000);
    private static final int SAID_LENGTH = 300;

    private final Map<String, String> variables = new HashMap<>();
    private final Redaction secrets;
    private final @Nullable ShellUser user;

    /**
     * Passes on {@link #PASSED} and these variables of this process.
     *
     * @param passedToo names of more variables of this process that commands get; their values are hidden in results,
     *     errors and logs
     */
    public ShellRuns(Collection<String> passedToo) {
        this(passedToo, System.getenv(), null);
    }

    /**
     * Passes on {@link #PASSED} and these variables of an environment.
     *
     * @param user the user that commands run as; absent means the user of this process
     */
    public ShellRuns(Collection<String> passedToo, Map<String, String> environment, @Nullable ShellUser user) {
        this.user = user;
        Stream.concat(PASSED.stream(), passedToo.stream())
                .filter(environment::containsKey)
                .forEach(name -> variables.put(name, environment.get(name)));
        if (user != null) {
            variables.keySet().removeAll(ShellUser.OWN);
            variables.putAll(user.variables());
        }
        secrets = Redaction.of(passedToo.stream()
                .filter(name -> !PASSED.contains(name))
                .filter(environment::containsKey)
                .map(environment::get)
                .toList());
    }

    @Override
    public ShellAnswer apply(ShellJob call, JobContext job) throws IOException, InterruptedException, TimeoutException {
        job.checkCancelled();
        Output stdout = new Output(secrets, line -> job.log("out: " + line));
        Output stderr = new Output(secrets, line -> job.log("err: " + line));
        ProcessTree tree = ProcessTree.start(builder(call, job));
        int exit;
        List<Pump> pumps = List.of();
        try {
            Process process = tree.root();
            pumps = List.of(
                    Pump.from("stdout", process.getInputStream(), stdout),
                    Pump.from("stderr", process.getErrorStream(), stderr));
            String input = call.stdin();
            if (input == null) {
                process.getOutputStream().close();
            } else {
                Pump.into(process.getOutputStream(), input);
            }
            exit = await(process, call);
        } finally {
            tree.end();
        }
        for (Pump pump : pumps) {
            pump.join(DRAIN);
        }
        return conclude(call, exit, stdout, stderr);
    }

    private static int await(Process process, ShellJob call) throws InterruptedException, TimeoutException {
        CompletableFuture<Process> end = process.onExit();
        Duration patience = call.patience().orElse(FOR_EVER);
        try {
            return end.get(patience.toMillis(), TimeUnit.MILLISECONDS).exitValue();
        } catch (TimeoutException late) {
            throw new TimeoutException(
                    "%s: expected it to end within %s, it did not".formatted(call, Spans.text(patience)));
        } catch (ExecutionException unheardOf) {
            throw new IllegalStateException("%s: its end cannot be awaited".formatted(call), unheardOf);
        }
    }

    private static ShellAnswer conclude(ShellJob call, int exit, Output stdout, Output stderr) throws IOException {
        if (exit == 0) {
            return new ShellAnswer(exit, stdout.text(), stderr.text(), stdout.isCut() || stderr.isCut());
        }
        String said = stderr.lastLine().isEmpty() ? stdout.lastLine() : stderr.lastLine();
        String message = "%s: expected exit code 0, got %d%s"
                .formatted(call, exit, said.isEmpty() ? "" : ": " + Text.visible(Text.storable(said, SAID_LENGTH)));
        if (call.isTemporary(exit)) {
            throw RetryLater.after(call.retryDelay(), message);
        }
        throw new IOException(message);
    }

    private ProcessBuilder builder(ShellJob call, JobContext job) {
        Map<String, String> given = call.variables();
        ProcessBuilder builder =
                new ProcessBuilder(user == null ? call.words() : user.running(call.words(), given.keySet()));
        String dir = call.dir();
        if (dir != null) {
            builder.directory(new File(dir));
        }
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(variables);
        environment.put("HEADGATE_JOB", job.id().toString());
        environment.put("HEADGATE_ATTEMPT", Integer.toString(job.attempt()));
        environment.put("HEADGATE_EPOCH", Long.toString(job.epoch()));
        environment.putAll(user == null ? given : ShellUser.carried(given));
        return builder;
    }
}
