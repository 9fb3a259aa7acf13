package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command of a {@code shell} job on the command line. */
final class ShellOptions {
    @Option(
            names = "--script",
            paramLabel = "TEXT",
            description = "text for 'sh -c' instead of a command; @FILE reads it from a file")
    private @Nullable String script;

    @Option(
            names = {"-e", "--env"},
            paramLabel = "NAME=VALUE",
            description = "a variable to set for it; give it again for more")
    private List<String> variables = List.of();

    @Option(names = "--dir", paramLabel = "FOLDER", description = "where to run it; where its worker runs if not given")
    private @Nullable String dir;

    @Option(names = "--stdin", paramLabel = "TEXT", description = "what it reads; @FILE reads it from a file")
    private @Nullable String stdin;

    @Option(
            names = "--retry-code",
            paramLabel = "N",
            description = "the exit code that means \"try again later\"; 75 if not given")
    private @Nullable Integer retryCode;

    @Option(names = "--retry-after", paramLabel = "SPAN", description = "… and how much later; 1m if not given")
    private @Nullable Duration retryAfter;

    boolean isUsed() {
        return script != null
                || !variables.isEmpty()
                || dir != null
                || stdin != null
                || retryCode != null
                || retryAfter != null;
    }

    /** The payload; it holds only what was given, so that defaults stay defaults. */
    String payload(List<String> command, TextOption given, JsonCodec codec) {
        Map<String, Object> payload = new LinkedHashMap<>();
        if (!command.isEmpty()) {
            payload.put("command", command);
        }
        if (script != null) {
            payload.put("script", given.text("--script", script));
        }
        if (!variables.isEmpty()) {
            payload.put("env", environment());
        }
        if (dir != null) {
            payload.put("dir", dir);
        }
        if (stdin != null) {
            payload.put("stdin", given.text("--stdin", stdin));
        }
        if (retryCode != null) {
            payload.put("retryCode", retryCode);
        }
        if (retryAfter != null) {
            payload.put("retryAfter", Spans.text(retryAfter));
        }
        return codec.write("payload of 'shell'", payload);
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage("--env: expected NAME=VALUE, got no '='; what was given is not shown");
            }
            environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        return environment;
    }
}
