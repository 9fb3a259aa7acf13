package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.store.Finding.Level;
import dev.headgate.internal.json.JsonWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Examines a store. */
@Command(
        name = "doctor",
        description = "Examine the store: version and schema, the clock, whether wake-ups of other processes are heard,"
                + " a recount of every gate, lost workers, gates without limits. Exit code 1 if something is wrong.")
public final class DoctorCommand implements Callable<Integer> {
    private final CommandContext shell;

    public DoctorCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            List<Finding> findings = new Examination(headgate).findings();
            boolean isWell = findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("well", isWell)
                        .put(
                                "findings",
                                findings.stream().map(DoctorCommand::json).toList()));
            } else {
                Table table = new Table("CHECK", "", "FOUND").wrapping();
                findings.forEach(finding -> table.row(finding.check(), Wording.word(finding.level()), finding.found()));
                shell.say(table);
            }
            return isWell ? ExitCode.OK : ExitCode.BAD;
        }
    }

    private static JsonWriter json(Finding finding) {
        return JsonWriter.object()
                .put("check", finding.check())
                .put("level", finding.level())
                .put("found", finding.found());
    }
}
