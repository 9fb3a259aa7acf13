package dev.headgate.cli.store;

import dev.headgate.Migrations;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Effect;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.MigrationPlan.Step;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Brings the tables of a store up to date. */
@Command(
        name = "migrate",
        description = "Bring the tables of the store up to date with this version, or show what that would do."
                + " Programs do it by themselves when they open a store.",
        footer = {
            "",
            "Examples:",
            "  headgate migrate --plan       what would be done, statement by statement; changes nothing",
            "  headgate migrate              do it: in one transaction, for as long as it takes",
            "",
            "Run it with a role that may change tables, before the workers of a new version start. It refuses while workers",
            "of an older version run, and names them. An older version refuses the store afterwards."
        })
public final class MigrateCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Option(names = "--plan", description = "show what would be done, and do nothing")
    private boolean isPlanOnly;

    @Option(
            names = "--force",
            description =
                    "do it although workers of an older version run: they are cut off, and what they run runs again")
    private boolean isForced;

    public MigrateCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        MigrationPlan plan = plan(shell.storeUrl());
        if (shell.isJson()) {
            shell.say(json(plan));
        } else {
            print(plan);
        }
        return ExitCode.OK;
    }

    private MigrationPlan plan(String url) {
        if (isPlanOnly) {
            return Migrations.plan(url);
        }
        return isForced ? Migrations.force(url, this::tell) : Migrations.run(url, this::tell);
    }

    /**
     * New tables take a moment; changing tables with rows may take long, so each statement is printed before it runs.
     */
    private void tell(Progress progress) {
        if (progress.plan().from() > 0) {
            Step step = progress.step();
            shell.doing("statement %d of %d"
                    .formatted(progress.number(), progress.plan().steps().size()));
            shell.note("statement %d of %d, version %d: %s"
                    .formatted(progress.number(), progress.plan().steps().size(), step.version(), cost(step)));
        }
    }

    private void print(MigrationPlan plan) {
        shell.say(plan.store());
        if (plan.isUpToDate()) {
            shell.say("schema version %d: up to date, nothing to do".formatted(plan.from()));
            return;
        }
        String how = isPlanOnly ? "would be brought" : "was brought";
        shell.say("schema version %s %s to %d by %s; %s"
                .formatted(
                        plan.from() == 0 ? "0 (no tables yet)" : Integer.toString(plan.from()),
                        how,
                        plan.to(),
                        Wording.count(plan.steps().size(), "statement"),
                        summary(plan)));
        if (isPlanOnly && plan.from() > 0) {
            plan.steps().forEach(this::print);
        }
    }

    private void print(Step step) {
        shell.say("");
        shell.say("version %d, %s: %s".formatted(step.version(), step.migration(), cost(step)));
        step.sql().lines().forEach(line -> shell.say("    " + line));
    }

    private static String summary(MigrationPlan plan) {
        List<String> rewritten = tables(plan, Effect.REWRITES);
        List<String> read = tables(plan, Effect.READS);
        return (rewritten.isEmpty() ? "no table is written anew" : "written anew: " + String.join(", ", rewritten))
                + (read.isEmpty() ? "" : "; read as a whole: " + String.join(", ", read));
    }

    private static List<String> tables(MigrationPlan plan, Effect effect) {
        return plan.steps().stream()
                .filter(step -> step.effect() == effect)
                .map(step -> step.table().isEmpty() ? "unknown" : step.table())
                .distinct()
                .toList();
    }

    private static String cost(Step step) {
        String table = step.table().isEmpty() ? "a table" : step.table();
        return switch (step.effect()) {
            case NEW -> "makes something new at %s, quick".formatted(table);
            case DESCRIPTION -> "changes how %s is described, quick".formatted(table);
            case READS -> "reads all of %s, which cannot be written meanwhile".formatted(table);
            case ROWS -> "changes rows of %s".formatted(table);
            case REWRITES -> "writes %s or its indexes anew".formatted(table);
        };
    }

    private JsonWriter json(MigrationPlan plan) {
        return JsonWriter.object()
                .put("store", plan.store())
                .put("from", plan.from())
                .put("to", plan.to())
                .put("done", !isPlanOnly && !plan.isUpToDate())
                .put(
                        "statements",
                        plan.steps().stream().map(MigrateCommand::json).toList());
    }

    private static JsonWriter json(Step step) {
        return JsonWriter.object()
                .put("version", step.version())
                .put("migration", step.migration())
                .put("effect", step.effect())
                .put("table", step.table())
                .put("sql", step.sql());
    }
}
