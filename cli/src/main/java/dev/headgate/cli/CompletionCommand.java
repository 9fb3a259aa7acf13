package dev.headgate.cli;

import dev.headgate.internal.text.NearestName;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script that teaches a shell the names of commands and options. */
@Command(
        name = "completion",
        description = "Print a script with which a shell completes commands and options.",
        footerHeading = "%nFor this shell:%n",
        footer = {
            "  source <(headgate completion bash)",
            "For every shell:",
            "  headgate completion bash > ~/.local/share/bash-completion/completions/headgate",
            "  echo 'source <(headgate completion zsh)' >> ~/.zshrc",
            "The same script completes ./headgate in a checkout. Make it anew after an update."
        })
final class CompletionCommand implements Callable<Integer> {
    static final List<String> SHELLS = List.of("bash", "zsh");

    private final CommandContext shell;
    private final Supplier<String> script;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "bash or zsh")
    private String name = "";

    /** @param script the script for bash, which zsh can read too */
    CompletionCommand(CommandContext shell, Supplier<String> script) {
        this.shell = shell;
        this.script = script;
    }

    /** What this command itself completes. */
    static final class Shells implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SHELLS.iterator();
        }
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(name.strip().toLowerCase(Locale.ROOT))) {
            throw CommandException.usage(
                    "completion: expected bash or zsh, got '%s'%s".formatted(name, NearestName.hint(name, SHELLS)));
        }
        shell.out().print(script.get());
        shell.out().flush();
        return ExitCode.OK;
    }
}
