package dev.headgate.cli;

import dev.headgate.internal.text.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a page about a topic, or the help of a command. */
@Command(
        name = "help",
        description =
                "Read about a topic: queue-policies, policies, runtime-model, job-types, architecture, json; or a command.")
final class HelpCommand implements Callable<Integer> {
    /** Each is a page beside this class. */
    static final Map<String, String> TOPICS = new TreeMap<>(Map.of(
            "queue-policies", "gates, queues and their limits: how to write them, what they promise",
            "policies", "changing limits: versions, files, overrides, undo, who is in charge",
            "runtime-model", "workers, leases, retries, shutdown: what happens to a job, step by step",
            "job-types", "http, shell and jobs from a file: everything without writing Java",
            "architecture", "how it is built: the parts, and why limits hold",
            "json", "the shapes of --json answers"));

    private final CommandContext shell;
    private final HelpPrinter help;

    @Parameters(
            arity = "0..*",
            paramLabel = "TOPIC",
            completionCandidates = Words.class,
            description = "a topic, or a command such as: gate set")
    private List<String> words = List.of();

    /** What can be asked for, for a shell that completes it. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(TOPICS.keySet().stream(), Commands.NAMES.stream())
                    .iterator();
        }
    }

    HelpCommand(CommandContext shell, HelpPrinter help) {
        this.shell = shell;
        this.help = help;
    }

    @Override
    public Integer call() throws IOException {
        if (words.isEmpty()) {
            help.print(List.of());
            shell.say("\nTopics, with 'headgate help TOPIC':");
            TOPICS.forEach((name, about) -> shell.say("  %-15s %s".formatted(name, about)));
            return ExitCode.OK;
        }
        List<String> asked = Arrays.stream(
                        String.join(" ", words).strip().toLowerCase(Locale.ROOT).split("\\s+", -1))
                .toList();
        String topic = String.join("-", asked);
        if (TOPICS.containsKey(topic)) {
            shell.say(page(topic));
            return ExitCode.OK;
        }
        List<String> command = new ArrayList<>(asked);
        command.set(0, Commands.canonical(asked.getFirst()));
        if (!Commands.NAMES.contains(command.getFirst())) {
            throw unknown(topic);
        }
        help.print(command);
        return ExitCode.OK;
    }

    private static CommandException unknown(String topic) {
        List<String> known = new ArrayList<>(TOPICS.keySet());
        known.addAll(Commands.NAMES);
        List<String> near = NearestName.names(topic, known);
        return CommandException.usage("help: no topic or command '%s'%s"
                .formatted(
                        topic,
                        near.isEmpty()
                                ? "; topics are %s".formatted(String.join(", ", TOPICS.keySet()))
                                : NearestName.hint(topic, known)));
    }

    private static String page(String topic) throws IOException {
        try (InputStream in = HelpCommand.class.getResourceAsStream("help/" + topic + ".txt")) {
            if (in == null) {
                throw new IllegalStateException("help: the page '%s' is missing from the jar".formatted(topic));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
