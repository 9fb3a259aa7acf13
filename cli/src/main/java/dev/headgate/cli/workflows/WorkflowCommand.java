package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.workflows.ApprovalCommand.Choice;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists runs; its subcommands look at one, steer it and draw it. */
@Command(
        name = "workflow",
        aliases = "workflows",
        description = "List runs of workflows; start, show, draw and steer them.",
        footer = {
            "",
            "Examples:",
            "  headgate workflow start ship '{\"order\":7}' --key order-7 --budget maxCostUnits=500",
            "  headgate workflow show 12",
            "  headgate workflow draw 12 --mermaid",
            "  headgate workflow signal 12 paid '{\"cents\":4200}'"
        })
public final class WorkflowCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Mixin
    private RunListOptions choices = new RunListOptions();

    public WorkflowCommand(CommandContext shell) {
        this.shell = shell;
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine(CommandContext shell) {
        return new CommandLine(new WorkflowCommand(shell))
                .addSubcommand(new ListCommand(shell))
                .addSubcommand(new StartCommand(shell))
                .addSubcommand(new ShowRunCommand(shell))
                .addSubcommand(new DrawCommand(shell))
                .addSubcommand(new TimelineCommand(shell))
                .addSubcommand(new SignalCommand(shell))
                .addSubcommand("approve", new ApprovalCommand(shell, Choice.APPROVED))
                .addSubcommand("reject", new ApprovalCommand(shell, Choice.REJECTED))
                .addSubcommand(new PauseRunCommand(shell))
                .addSubcommand(new ResumeRunCommand(shell))
                .addSubcommand(new CancelRunCommand(shell))
                .addSubcommand(new RetryRunCommand(shell))
                .addSubcommand(new RewindCommand(shell))
                .addSubcommand(new TopUpCommand(shell))
                .addSubcommand(new ArtifactsCommand(shell))
                .addSubcommand(new ExportRunCommand(shell))
                .addSubcommand(new DefinitionsCommand(shell));
    }

    @Override
    public Integer call() {
        return choices.list(shell);
    }

    /** {@code list}, the same as the command without a subcommand. */
    @Command(name = "list", description = "List runs that no other run has spawned, newest first.")
    static final class ListCommand implements Callable<Integer> {
        private final CommandContext shell;

        @Mixin
        private RunListOptions choices = new RunListOptions();

        ListCommand(CommandContext shell) {
            this.shell = shell;
        }

        @Override
        public Integer call() {
            return choices.list(shell);
        }
    }
}
