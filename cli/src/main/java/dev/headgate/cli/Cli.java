package dev.headgate.cli;

import dev.headgate.cli.jobs.JobLine;
import dev.headgate.cli.workers.JobTypes;
import dev.headgate.internal.text.NearestName;
import dev.headgate.job.Cost;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Unmet;
import dev.headgate.limit.Pause;
import dev.headgate.limit.Spans;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.TypeConversionException;

/** One run of the command: finds the subcommand, reads its options, runs it, turns an error into an exit code. */
public final class Cli {
    private static final int HELP_COLUMNS_MAX = 110;

    /** The least width that picocli accepts; a narrower terminal wraps the lines of a help by itself. */
    private static final int HELP_COLUMNS_MIN = 55;

    private static final Set<String> FLAGS = Set.of("--json", "--reveal");

    private final CommandContext shell;
    private final Commands commands;

    /** @param jobTypes registers the handlers of {@code headgate work} */
    public Cli(CommandContext shell, JobTypes jobTypes) {
        this.shell = shell;
        this.commands = new Commands(shell, jobTypes, this::help, this::completion);
    }

    public int run(String... arguments) {
        try {
            refuseGarbled(arguments);
            return commandLine(named(arguments)).execute(arguments);
        } catch (CommandException complaint) {
            return new ErrorMessages(shell).tell(complaint);
        } finally {
            shell.out().flush();
            shell.err().flush();
        }
    }

    /** The one command that the arguments name, or all if that is not clear: then help or a hint is wanted. */
    private static List<String> named(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("--store") || argument.equals("--listen")) {
                i++;
            } else if (Commands.NAMES.contains(Commands.canonical(argument))) {
                return List.of(Commands.canonical(argument));
            } else if (!FLAGS.contains(argument)
                    && !argument.startsWith("--store=")
                    && !argument.startsWith("--listen=")) {
                break;
            }
        }
        return Commands.NAMES;
    }

    /** A locale that cannot read an argument replaces its characters, and two keys could become one. */
    private static void refuseGarbled(String[] arguments) {
        for (String argument : arguments) {
            if (argument.indexOf('\uFFFD') >= 0) {
                throw CommandException.usage(
                        "argument '%s': expected text that this locale can read, got bytes it cannot; set LC_ALL=C.UTF-8"
                                .formatted(argument));
            }
        }
    }

    private CommandLine commandLine(List<String> names) {
        CommandLine root = new CommandLine(new RootCommand(shell, this::help));
        names.forEach(name -> root.addSubcommand(commands.create(name)));
        root.registerConverter(Duration.class, text -> convert(text, Spans::parse));
        root.registerConverter(Cost.class, text -> convert(text, Cost::parse));
        root.registerConverter(JobId.class, text -> convert(text, JobId::parse));
        root.registerConverter(JobCursor.class, text -> convert(text, JobCursor::parse));
        root.registerConverter(JobState.class, text -> convert(text, Cli::jobState));
        root.registerConverter(RunId.class, text -> convert(text, RunId::parse));
        root.registerConverter(RunState.class, text -> convert(text, each -> state(each, RunState.values())));
        root.registerConverter(Unmet.class, text -> convert(text, JobLine::unmet));
        root.registerConverter(Pause.Kind.class, text -> convert(text, Cli::pauseKind));
        root.registerConverter(TimeOption.class, text -> convert(text, TimeOption::parse));
        // A payload or a key that begins with @ is meant as it is, not as the name of a file with more arguments.
        root.setExpandAtFiles(false);
        root.setOut(shell.out());
        root.setErr(shell.err());
        root.setUsageHelpWidth(Math.clamp(shell.terminal().columns(), HELP_COLUMNS_MIN, HELP_COLUMNS_MAX));
        root.setColorScheme(Help.defaultColorScheme(shell.terminal().hasColour() ? Ansi.ON : Ansi.OFF));
        ErrorMessages complaints = new ErrorMessages(shell);
        root.setParameterExceptionHandler(complaints);
        root.setExecutionExceptionHandler(complaints);
        return root;
    }

    /** {@code gate set} is a command of a command, so each word is looked up in the command before it. */
    private void help(List<String> words) {
        CommandLine asked = commandLine(Commands.NAMES);
        for (String word : words) {
            Map<String, CommandLine> known = asked.getSubcommands();
            CommandLine next = known.get(word);
            if (next == null) {
                throw CommandException.usage("help: no command '%s' in '%s'%s"
                        .formatted(
                                word, asked.getCommandSpec().qualifiedName(), NearestName.hint(word, known.keySet())));
            }
            asked = next;
        }
        asked.usage(shell.out());
    }

    private String completion() {
        return CompletionScript.of(commandLine(Commands.NAMES));
    }

    private static <T> T convert(String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException unreadable) {
            throw new TypeConversionException(String.valueOf(unreadable.getMessage()));
        }
    }

    private static Pause.Kind pauseKind(String text) {
        List<String> kinds =
                Arrays.stream(Pause.Kind.values()).map(Pause.Kind::text).toList();
        return Arrays.stream(Pause.Kind.values())
                .filter(kind -> kind.text().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected queue, gate or type, got '%s'%s".formatted(text, NearestName.hint(text, kinds))));
    }

    /** What waits at a gate is queued: lists say where it waits instead. */
    private static JobState jobState(String text) {
        return text.strip().equalsIgnoreCase("waiting") ? JobState.QUEUED : state(text, JobState.values());
    }

    private static <E extends Enum<E>> E state(String text, E[] states) {
        String name = text.strip().toUpperCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
        return Arrays.stream(states)
                .filter(state -> state.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("state: expected a known one, got '%s'%s"
                        .formatted(
                                text,
                                NearestName.hint(
                                        text,
                                        Arrays.stream(states)
                                                .map(state -> state.name().toLowerCase(Locale.ROOT))
                                                .toList()))));
    }
}
