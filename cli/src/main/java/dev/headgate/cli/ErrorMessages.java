package dev.headgate.cli;

import dev.headgate.NotFoundException;
import dev.headgate.RunEndedException;
import dev.headgate.internal.text.NearestName;
import dev.headgate.internal.text.Text;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns everything that can go wrong into a line on standard error and an exit code. */
final class ErrorMessages implements IExecutionExceptionHandler, IParameterExceptionHandler {
    /** A value that would be read as an option. */
    private static final Pattern NEGATIVE = Pattern.compile("-\\d.*");

    private final CommandContext shell;

    ErrorMessages(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
        return tell(fault);
    }

    int tell(Exception fault) {
        return switch (fault) {
            case CommandException complaint -> tell(complaint, complaint.exit());
            case NotFoundException unknown -> tell(unknown, ExitCode.BAD);
            case RunEndedException ended -> tell(ended, ExitCode.BAD);
            case BudgetExceededException exceeded -> tell(exceeded, ExitCode.BAD);
            case StoreUnavailableException unavailable -> tell(unavailable, ExitCode.STORE);
            case StoreRefusedException refused -> tell(refused, ExitCode.STORE);
            case IllegalArgumentException wrong -> tell(wrong, ExitCode.USAGE);
            default -> {
                shell.note("headgate: a fault of its own: %s; %s"
                        .formatted(fault, "run it again with HEADGATE_DEBUG=1 and report what it shows"));
                trace(fault);
                yield ExitCode.BUG;
            }
        };
    }

    private int tell(Exception fault, int exit) {
        shell.note("headgate: " + fault.getMessage());
        trace(fault);
        return exit;
    }

    private void trace(Exception fault) {
        if (shell.isDebugging()) {
            StringWriter trace = new StringWriter();
            fault.printStackTrace(new PrintWriter(trace));
            // Messages can hold stored text; only the tabs of the trace itself are kept as they are.
            trace.toString()
                    .lines()
                    .forEach(line -> shell.err()
                            .println(
                                    line.startsWith("\t")
                                            ? "\t" + Text.visible(line.substring(1))
                                            : Text.visible(line)));
            shell.err().flush();
        }
    }

    @Override
    public int handleParseException(ParameterException fault, String[] arguments) {
        CommandLine command = fault.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        shell.note("headgate: %s; see '%s --help'".formatted(message(fault, arguments), name));
        trace(fault);
        return ExitCode.USAGE;
    }

    private static String message(ParameterException fault, String[] arguments) {
        if (fault instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(unmatched);
        }
        if (fault instanceof MissingParameterException) {
            return lowered(String.valueOf(fault.getMessage())) + negative(arguments);
        }
        return lowered(String.valueOf(fault.getMessage()).replace('\n', ' '));
    }

    /** A negative value is read as an option that does not exist, so the parameter it was meant for seems to be missing. */
    private static String negative(String[] arguments) {
        return Arrays.stream(arguments)
                .filter(argument -> NEGATIVE.matcher(argument).matches())
                .findFirst()
                .map(", and '%s' is no option; expected a value that is not negative"::formatted)
                .orElse("");
    }

    private static String unmatched(UnmatchedArgumentException fault) {
        String found = fault.getUnmatched().getFirst();
        CommandLine command = fault.getCommandLine();
        if (NEGATIVE.matcher(found).matches()) {
            return "'%s' is no option; expected a value that is not negative".formatted(found);
        }
        if (found.startsWith("-")) {
            List<String> options = new ArrayList<>();
            command.getCommandSpec().options().forEach(option -> options.addAll(List.of(option.names())));
            List<String> near = NearestName.names(found, options);
            return "unknown option '%s'%s".formatted(found, near.isEmpty() ? "" : NearestName.hint(found, options));
        }
        if (!command.getSubcommands().isEmpty()) {
            return "unknown command '%s'%s"
                    .formatted(
                            found,
                            NearestName.hint(found, command.getSubcommands().keySet()));
        }
        return "expected no further argument, got '%s'".formatted(found);
    }

    private static String lowered(String message) {
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }
}
