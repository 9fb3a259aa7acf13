package dev.headgate.cli;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The script with which a shell completes this command; written for bash, zsh reads it too. */
final class CompletionScript {
    private CompletionScript() {}

    /** The commands are changed for this and cannot run any more. */
    static String of(CommandLine commands) {
        prepare(commands.getCommandSpec());
        return AutoComplete.bash("headgate", commands);
    }

    /** Words are typed in small letters here. */
    private static void prepare(CommandSpec command) {
        for (ArgSpec argument : List.copyOf(command.args())) {
            if (argument.type().isEnum()) {
                List<String> words = words(argument.type());
                command.remove(argument);
                command.add(
                        argument instanceof OptionSpec option
                                ? OptionSpec.builder(option)
                                        .completionCandidates(words)
                                        .build()
                                : PositionalParamSpec.builder((PositionalParamSpec) argument)
                                        .completionCandidates(words)
                                        .build());
            }
        }
        new LinkedHashSet<>(command.subcommands().values()).forEach(below -> prepare(below.getCommandSpec()));
    }

    private static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
