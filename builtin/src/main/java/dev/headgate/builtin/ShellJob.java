package dev.headgate.builtin;

import dev.headgate.internal.text.Text;
import dev.headgate.job.JobType;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a {@code shell} job: one command, as a list of words or as a script. It is checked when it is made.
 *
 * @param command the program and its arguments, which go to it as they are: no shell reads them
 * @param script text for {@code sh -c}, instead of a command
 * @param env variables to set, besides the few that the worker passes on
 * @param dir where to run it. Default: where the worker runs
 * @param stdin what it reads from standard input. Default: nothing
 * @param timeout how long it may run, such as {@code 10m}. Default: as long as the job may
 * @param retryCode the exit code that means "try again later". Default: 75, which is EX_TEMPFAIL
 * @param retryAfter … and how much later. Default: 1m
 */
public record ShellJob(
        @Nullable List<String> command,
        @Nullable String script,
        @Nullable Map<String, String> env,
        @Nullable String dir,
        @Nullable String stdin,
        @Nullable String timeout,
        @Nullable Integer retryCode,
        @Nullable String retryAfter) {
    public static final JobType<ShellJob> TYPE = JobType.of("shell", ShellJob.class);

    private static final int TEMPORARY_FAILURE = 75;
    private static final int CODE_MAX = 255;
    private static final int SHOWN_LENGTH = 80;
    private static final Duration RETRY_AFTER_DEFAULT = Duration.ofMinutes(1);
    private static final Duration SPAN_MAX = Duration.ofDays(30);

    public ShellJob {
        command = command == null ? List.of() : List.copyOf(command);
        if (command.isEmpty() == (script == null)) {
            throw new IllegalArgumentException(
                    "shell: expected a command or a script, got %s".formatted(script == null ? "neither" : "both"));
        }
        if ((!command.isEmpty() && command.getFirst().isBlank()) || (script != null && script.isBlank())) {
            throw new IllegalArgumentException("shell: expected the name of a program, got an empty one");
        }
        command.forEach(word -> checkText("command", word));
        checkText("script", script);
        checkText("dir", dir);
        env = env == null ? Map.of() : Map.copyOf(env);
        env.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("env: expected a name without '=', got '%s'"
                        .formatted(Text.visible(Text.storable(name, SHOWN_LENGTH))));
            }
            checkText("env " + Text.visible(name), value);
        });
        checkSpan("timeout", timeout);
        retryCode = retryCode == null ? TEMPORARY_FAILURE : retryCode;
        if (retryCode < 1 || retryCode > CODE_MAX) {
            throw new IllegalArgumentException("retryCode: expected 1 to %d, got %d".formatted(CODE_MAX, retryCode));
        }
        checkSpan("retryAfter", retryAfter);
    }

    /** A command without further wishes. */
    public static ShellJob of(String... command) {
        return new ShellJob(List.of(command), null, null, null, null, null, null, null);
    }

    /** A script for {@code sh -c} without further wishes. */
    public static ShellJob script(String text) {
        return new ShellJob(null, text, null, null, null, null, null, null);
    }

    private static void checkText(String what, @Nullable String text) {
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("%s: expected text without NUL, got one".formatted(what));
        }
    }

    private static void checkSpan(String what, @Nullable String text) {
        if (text != null) {
            Duration span = Spans.parse(text);
            if (span.isNegative() || span.isZero() || span.compareTo(SPAN_MAX) > 0) {
                throw new IllegalArgumentException("%s: expected more than zero and at most %s, got '%s'"
                        .formatted(what, Spans.text(SPAN_MAX), text));
            }
        }
    }

    List<String> words() {
        return script == null ? Objects.requireNonNull(command) : List.of("sh", "-c", script);
    }

    Map<String, String> variables() {
        return Objects.requireNonNull(env);
    }

    Optional<Duration> patience() {
        return Optional.ofNullable(timeout).map(Spans::parse);
    }

    boolean isTemporary(int exit) {
        return Objects.requireNonNull(retryCode) == exit;
    }

    Duration retryDelay() {
        return retryAfter == null ? RETRY_AFTER_DEFAULT : Spans.parse(retryAfter);
    }

    /** The program alone: arguments, scripts, variables and input may hold secrets. */
    @Override
    public String toString() {
        return script == null ? Text.visible(Text.storable(words().getFirst(), SHOWN_LENGTH)) : "sh -c";
    }
}
