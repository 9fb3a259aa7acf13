package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.Finding.Level;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import dev.headgate.cli.text.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Examines a store. */
@Command(
        name = "doctor",
        description = "Examine the store: version and schema, the clock, whether wake-ups of other processes are heard,"
                + " a recount of every gate, lost workers, gates without limits. Exit code 1 if something is wrong.")
final class DoctorCommand implements Callable<Integer> {
    private final Shell shell;

    DoctorCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            List<Finding> findings = new Examination(headgate).findings();
            boolean isWell = findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
            if (shell.isJson()) {
                shell.say(Json.object()
                        .put("well", isWell)
                        .put(
                                "findings",
                                findings.stream().map(DoctorCommand::json).toList()));
            } else {
                Table table = new Table("CHECK", "", "FOUND").wrapping();
                findings.forEach(finding -> table.row(finding.check(), Spoken.word(finding.level()), finding.found()));
                shell.say(table);
            }
            return isWell ? Exit.OK : Exit.BAD;
        }
    }

    private static Json json(Finding finding) {
        return Json.object()
                .put("check", finding.check())
                .put("level", finding.level())
                .put("found", finding.found());
    }
}
