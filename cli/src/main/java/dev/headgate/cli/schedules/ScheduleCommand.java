package dev.headgate.cli.schedules;

import dev.headgate.Schedules;
import dev.headgate.cli.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Lists schedules; its subcommands add them, look at one and steer it. */
@Command(
        name = "schedule",
        aliases = "schedules",
        description = "List work that recurs; add, show, edit, fire, pause, resume and remove schedules.",
        footer = {
            "",
            "Any worker on the store fires them, whatever queues it serves.",
            "",
            "Examples:",
            "  headgate schedule add nightly report '{\"scope\":\"all\"}' --cron '0 3 * * *' --zone Europe/Berlin",
            "  headgate schedule add poll echo --every 30s --overlap skip --queue feeds",
            "  headgate schedule next nightly --count 10",
            "  headgate schedule next --cron '30 2 * * *' --zone Europe/Berlin",
            "  headgate schedule pause nightly"
        })
public final class ScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    public ScheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine(CommandContext shell) {
        return new CommandLine(new ScheduleCommand(shell))
                .addSubcommand(new ListCommand(shell))
                .addSubcommand(new AddScheduleCommand(shell))
                .addSubcommand(new ShowScheduleCommand(shell))
                .addSubcommand(new NextRunsCommand(shell))
                .addSubcommand(new EditScheduleCommand(shell))
                .addSubcommand(new FireScheduleCommand(shell))
                .addSubcommand("pause", new SwitchScheduleCommand(shell, "paused", Schedules::pause))
                .addSubcommand("resume", new SwitchScheduleCommand(shell, "resumed", Schedules::resume))
                .addSubcommand("remove", new SwitchScheduleCommand(shell, "removed", Schedules::remove));
    }

    @Override
    public Integer call() {
        return ScheduleRows.list(shell);
    }

    /** {@code list}, the same as the command without a subcommand. */
    @Command(name = "list", description = "List schedules by name, with their next and latest runs.")
    static final class ListCommand implements Callable<Integer> {
        private final CommandContext shell;

        ListCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            return ScheduleRows.list(shell);
        }
    }
}
