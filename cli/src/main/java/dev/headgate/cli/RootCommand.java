package dev.headgate.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command itself: the options that all subcommands share. Without a subcommand it prints its help. */
@Command(
        name = "headgate",
        description = "A durable job queue that knows what may start, when, and how much at once.%n",
        synopsisHeading = "",
        customSynopsis = "Usage: headgate [--store URL] [--json] COMMAND …%n",
        optionListHeading = "Options of every command:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done, and the answer is good",
            " 1:it ran, and the answer is bad: a limit broken, drift, no such job, a job in the wrong state",
            " 2:wrong usage: nothing was changed",
            " 3:the store cannot be reached, or refuses to be used",
            " 4:a fault of headgate itself; HEADGATE_DEBUG=1 shows where",
            "130, 143:ended by Ctrl-C or SIGTERM before it was done"
        },
        footerHeading = "%nStart here:%n",
        footer = {
            "  headgate demo                                        see it hold a provider's limits",
            "  headgate gate set api \"rate 5/1s burst 2\"            store a limit",
            "  headgate enqueue echo '{\"hello\":1}' --gate api       store a job that must pass it",
            "  headgate work --once                                 run what is due",
            "  headgate help queue-policies                         read about limits"
        },
        versionProvider = RootCommand.Version.class)
public final class RootCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final HelpPrinter help;

    RootCommand(CommandContext shell, HelpPrinter help) {
        this.shell = shell;
        this.help = help;
    }

    @Option(
            names = "--store",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=…; else HEADGATE_STORE, else"
                    + " jdbc:sqlite:headgate.db in this folder")
    void store(String url) {
        shell.useStore(url);
    }

    @Option(
            names = "--listen",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description =
                    "where to listen for wake-ups, if --store leads to PostgreSQL through a pooler that loses them:"
                            + " a URL of the same database without it; else HEADGATE_LISTEN")
    void listen(String url) {
        shell.listenAt(url);
    }

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "answer with one line of JSON; 'headgate help json' has the shapes")
    void json(boolean yes) {
        shell.answerInJson(yes);
    }

    @Option(
            names = "--reveal",
            scope = ScopeType.INHERIT,
            description = "show stored texts whose names say that they are secret, such as password or Authorization")
    void reveal(boolean yes) {
        shell.reveal(yes);
    }

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help")
    void help(boolean yes) {
        // picocli prints it
    }

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "show the version")
    void version(boolean yes) {
        // picocli prints it
    }

    @Override
    public Integer call() {
        help.print(List.of());
        return ExitCode.OK;
    }

    /** Reads the version from the jar; outside a jar there is none to read. */
    public static final class Version implements IVersionProvider {
        public static String text() {
            String version = RootCommand.class.getPackage().getImplementationVersion();
            return Objects.requireNonNullElse(version, "(unpackaged)");
        }

        @Override
        public String[] getVersion() {
            return new String[] {"headgate " + text()};
        }
    }
}
