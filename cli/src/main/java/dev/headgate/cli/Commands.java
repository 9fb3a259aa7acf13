package dev.headgate.cli;

import dev.headgate.cli.client.ClientCheckCommand;
import dev.headgate.cli.demo.DemoCommand;
import dev.headgate.cli.jobs.BacklogCommand;
import dev.headgate.cli.jobs.CancelCommand;
import dev.headgate.cli.jobs.DeleteCommand;
import dev.headgate.cli.jobs.EnqueueCommand;
import dev.headgate.cli.jobs.ExplainCommand;
import dev.headgate.cli.jobs.JobCommand;
import dev.headgate.cli.jobs.JobsCommand;
import dev.headgate.cli.jobs.PriorityCommand;
import dev.headgate.cli.jobs.RedriveCommand;
import dev.headgate.cli.jobs.RescheduleCommand;
import dev.headgate.cli.jobs.RetryCommand;
import dev.headgate.cli.jobs.TypesCommand;
import dev.headgate.cli.policies.GatesCommand;
import dev.headgate.cli.policies.HoldCommand;
import dev.headgate.cli.policies.PauseCommand;
import dev.headgate.cli.policies.PolicyCommand;
import dev.headgate.cli.policies.QueuesCommand;
import dev.headgate.cli.policies.RemovePolicyCommand;
import dev.headgate.cli.policies.ReopenCommand;
import dev.headgate.cli.policies.ResumeCommand;
import dev.headgate.cli.policies.SetPolicyCommand;
import dev.headgate.cli.policies.ShowPolicyCommand;
import dev.headgate.cli.policies.VerifyHistoryCommand;
import dev.headgate.cli.schedules.ScheduleCommand;
import dev.headgate.cli.server.ServeCommand;
import dev.headgate.cli.server.TokenCommand;
import dev.headgate.cli.simulation.SimulateCommand;
import dev.headgate.cli.store.DoctorCommand;
import dev.headgate.cli.store.FiguresCommand;
import dev.headgate.cli.store.MigrateCommand;
import dev.headgate.cli.store.PruneCommand;
import dev.headgate.cli.store.StatusCommand;
import dev.headgate.cli.top.TopCommand;
import dev.headgate.cli.workers.JobTypes;
import dev.headgate.cli.workers.WorkCommand;
import dev.headgate.cli.workflows.WorkflowCommand;
import dev.headgate.limit.GateKey.Scope;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * All commands by name. Only the one that was asked for is made, because reading the annotations of all of them would
 * take longer than most commands run.
 */
final class Commands {
    /** In the order of the help: first what a newcomer wants, then looking, then changing, then caring for the store. */
    static final List<String> NAMES = List.of(
            "demo",
            "work",
            "enqueue",
            "status",
            "top",
            "figures",
            "queues",
            "backlog",
            "types",
            "gates",
            "policy",
            "simulate",
            "workflow",
            "schedule",
            "jobs",
            "job",
            "explain",
            "pause",
            "resume",
            "retry",
            "cancel",
            "reschedule",
            "priority",
            "delete",
            "redrive",
            "prune",
            "migrate",
            "verify-history",
            "doctor",
            "completion",
            "serve",
            "token",
            "client-check",
            "help");

    private final CommandContext shell;
    private final JobTypes jobTypes;
    private final HelpPrinter help;
    private final Supplier<String> completion;

    Commands(CommandContext shell, JobTypes jobTypes, HelpPrinter help, Supplier<String> completion) {
        this.shell = shell;
        this.jobTypes = jobTypes;
        this.help = help;
        this.completion = completion;
    }

    /** The name under which a command is listed: {@code gate set} and {@code gates} are one command. */
    static String canonical(String name) {
        return switch (name) {
            case "gate" -> "gates";
            case "queue" -> "queues";
            case "policies" -> "policy";
            case "workflows" -> "workflow";
            case "schedules" -> "schedule";
            case "tokens" -> "token";
            default -> name;
        };
    }

    CommandLine create(String name) {
        return switch (name) {
            case "demo" -> new CommandLine(new DemoCommand(shell));
            case "work" -> new CommandLine(new WorkCommand(shell, jobTypes));
            case "enqueue" -> new CommandLine(new EnqueueCommand(shell));
            case "status" -> new CommandLine(new StatusCommand(shell));
            case "top" -> new CommandLine(new TopCommand(shell));
            case "figures" -> new CommandLine(new FiguresCommand(shell));
            case "backlog" -> new CommandLine(new BacklogCommand(shell));
            case "types" -> new CommandLine(new TypesCommand(shell));
            case "queues" -> withPolicyCommands(new QueuesCommand(shell), Scope.QUEUE);
            case "gates" -> withPolicyCommands(new GatesCommand(shell), Scope.GATE);
            case "simulate" -> new CommandLine(new SimulateCommand(shell));
            case "policy" -> PolicyCommand.commandLine(shell);
            case "workflow" -> WorkflowCommand.commandLine(shell);
            case "schedule" -> ScheduleCommand.commandLine(shell);
            case "jobs" -> new CommandLine(new JobsCommand(shell));
            case "job" -> new CommandLine(new JobCommand(shell));
            case "explain" -> new CommandLine(new ExplainCommand(shell));
            case "pause" -> new CommandLine(new PauseCommand(shell));
            case "resume" -> new CommandLine(new ResumeCommand(shell));
            case "retry" -> new CommandLine(new RetryCommand(shell));
            case "cancel" -> new CommandLine(new CancelCommand(shell));
            case "reschedule" -> new CommandLine(new RescheduleCommand(shell));
            case "priority" -> new CommandLine(new PriorityCommand(shell));
            case "delete" -> new CommandLine(new DeleteCommand(shell));
            case "redrive" -> new CommandLine(new RedriveCommand(shell));
            case "prune" -> new CommandLine(new PruneCommand(shell));
            case "migrate" -> new CommandLine(new MigrateCommand(shell));
            case "verify-history" -> new CommandLine(new VerifyHistoryCommand(shell));
            case "doctor" -> new CommandLine(new DoctorCommand(shell));
            case "completion" -> new CommandLine(new CompletionCommand(shell, completion));
            case "serve" -> new CommandLine(new ServeCommand(shell));
            case "token" -> TokenCommand.commandLine(shell);
            case "client-check" -> new CommandLine(new ClientCheckCommand(shell));
            case "help" -> new CommandLine(new HelpCommand(shell, help));
            default -> throw new IllegalStateException("command: expected one of %s, got '%s'".formatted(NAMES, name));
        };
    }

    private CommandLine withPolicyCommands(Object list, Scope scope) {
        return new CommandLine(list)
                .addSubcommand(new ShowPolicyCommand(shell, scope))
                .addSubcommand(new SetPolicyCommand(shell, scope))
                .addSubcommand(new RemovePolicyCommand(shell, scope))
                .addSubcommand(new HoldCommand(shell, scope))
                .addSubcommand(ReopenCommand.release(shell, scope))
                .addSubcommand(ReopenCommand.clear(shell, scope));
    }
}
