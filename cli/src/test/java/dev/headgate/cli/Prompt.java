package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.workers.BuiltInJobs;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A command line in a folder of its own, with a store that every command uses unless it names another. */
final class Prompt {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private String input = "";
    private Signals signals = Signals.NONE;

    Prompt(Path folder) {
        this.folder = folder;
        environment.put("HEADGATE_STORE", url());
        environment.put("PATH", System.getenv("PATH"));
    }

    /** What a command answered. */
    record Answer(int exit, String out, String err) {
        JsonNode json() {
            return MAPPER.readTree(out);
        }

        List<String> lines() {
            return out.lines().toList();
        }
    }

    String url() {
        return "jdbc:sqlite:" + store();
    }

    Path store() {
        return folder.resolve("jobs.db");
    }

    Prompt with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Prompt typing(String text) {
        this.input = text;
        return this;
    }

    /** Every command is told to stop as soon as it listens. */
    Prompt signalled(int exit) {
        this.signals = reaction -> reaction.accept(exit);
        return this;
    }

    Answer run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandContext shell = new CommandContext(
                new PrintWriter(out),
                new PrintWriter(err),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                environment,
                signals);
        int exit = new Cli(shell, BuiltInJobs::register).run(arguments);
        return new Answer(exit, out.toString(), err.toString());
    }

    /** Runs a command that only prepares the test. */
    Answer must(String... arguments) {
        Answer answer = run(arguments);
        if (answer.exit() != ExitCode.OK) {
            throw new AssertionError("'%s' answered %s".formatted(String.join(" ", arguments), answer));
        }
        return answer;
    }

    Headgate open() {
        return Headgate.open(url());
    }
}
