package dev.headgate.cli.workers;

import dev.headgate.Headgate;
import dev.headgate.builtin.HostRules;
import dev.headgate.builtin.HttpCalls;
import dev.headgate.builtin.HttpJob;
import dev.headgate.builtin.ShellJob;
import dev.headgate.job.JobType;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The job types that {@code headgate work} can run: a few to try limits with, and, if its command line allows them,
 * HTTP calls and commands. A type that is not allowed is not registered, so its jobs are parked with that reason and
 * revived by the first worker that may run them.
 */
public final class BuiltInJobs {
    static final JobType<JsonNode> NOOP = JobType.of("noop", JsonNode.class);
    static final JobType<JsonNode> ECHO = JobType.of("echo", JsonNode.class);
    public static final JobType<Sleep> SLEEP = JobType.of("sleep", Sleep.class);
    public static final JobType<Fail> FAIL = JobType.of("fail", Fail.class);

    /** Of all types, also of those that a worker must be allowed to run. */
    public static final Set<String> NAMES =
            Set.of(NOOP.name(), ECHO.name(), SLEEP.name(), FAIL.name(), HttpJob.TYPE.name(), ShellJob.TYPE.name());

    private BuiltInJobs() {}

    /** Sleeps this many milliseconds. A payload without the number is refused: it probably uses another word for it. */
    record Sleep(@Nullable Long ms) {
        Sleep {
            if (ms == null) {
                throw new IllegalArgumentException("expected {\"ms\":500}, got no 'ms'");
            }
        }

        long millis() {
            return Math.max(0, Objects.requireNonNull(ms, "checked"));
        }
    }

    /** Fails with this message, this many times; always, if no number is given. */
    record Fail(@Nullable String message, @Nullable Integer times) {}

    public static void register(Headgate headgate, WorkLog journal, JobPermissions permissions) {
        headgate.handleWithResult(NOOP, journal.watching((payload, job) -> null));
        headgate.handleWithResult(ECHO, journal.watching((payload, job) -> payload));
        headgate.handleWithResult(SLEEP, journal.watching((payload, job) -> {
            Thread.sleep(payload.millis());
            return null;
        }));
        headgate.handleWithResult(FAIL, journal.watching((payload, job) -> {
            Integer times = payload.times();
            if (times == null || job.attempt() <= times) {
                throw new IllegalStateException(Objects.requireNonNullElse(payload.message(), "asked to fail"));
            }
            return null;
        }));
        HostRules hosts = permissions.hosts();
        if (!hosts.isNone()) {
            headgate.handleWithResult(
                    HttpJob.TYPE, journal.watching(new HttpCalls(hosts, permissions.httpVariables())));
        }
        if (permissions.isShellAllowed()) {
            headgate.handleWithResult(ShellJob.TYPE, journal.watching(permissions.shellRuns()));
        }
    }
}
