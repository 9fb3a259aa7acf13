package dev.headgate.cli.schedule;

import dev.headgate.Schedules;
import dev.headgate.cli.Shell;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine;

/** Lists schedules; its subcommands add them, look at one and steer it. */
@Command(
        name = "schedule",
        aliases = "schedules",
        description = "List work that recurs; add, show, edit, pause, resume and remove schedules.",
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
    private final Shell shell;

    public ScheduleCommand(Shell shell) {
        this.shell = shell;
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine(Shell shell) {
        return new CommandLine(new ScheduleCommand(shell))
                .addSubcommand(new ListCommand(shell))
                .addSubcommand(new AddCommand(shell))
                .addSubcommand(new ShowCommand(shell))
                .addSubcommand(new NextCommand(shell))
                .addSubcommand(new EditCommand(shell))
                .addSubcommand("pause", new SwitchCommand(shell, "paused", Schedules::pause))
                .addSubcommand("resume", new SwitchCommand(shell, "resumed", Schedules::resume))
                .addSubcommand("remove", new SwitchCommand(shell, "removed", Schedules::remove));
    }

    @Override
    public Integer call() {
        return ScheduleShape.list(shell);
    }

    /** {@code list}, for those who say so. */
    @Command(name = "list", description = "List schedules by name, with their next and latest runs.")
    static final class ListCommand implements Callable<Integer> {
        private final Shell shell;

        ListCommand(Shell shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            return ScheduleShape.list(shell);
        }
    }
}
