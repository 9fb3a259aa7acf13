package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import dev.headgate.resource.TypeFigures.Memory;
import dev.headgate.server.api.StatusJson;
import dev.headgate.server.api.TypeList;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** What job types need and take. */
@Command(
        name = "types",
        description = "List job types: what handlers declare, what runs have shown, what policies require and default.",
        footer = {
            "",
            "TIME: what 95 of 100 recent runs did not exceed, over all workers.",
            "  Empty until five are known. What is declared comes first.",
            "MEMORY: the most that a measured run allocated, an upper bound. The first",
            "  five runs of a type and one in 16 are measured, on platform threads.",
            "POLICY: what holds for the type, by its own name or by a pattern;",
            "  'headgate policy set type NAME' changes it. A pattern has its own row."
        })
public final class TypesCommand implements Callable<Integer> {
    private final CommandContext shell;

    public TypesCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            Policies policies = headgate.policies();
            List<TypeFigures> types = TypeList.read(headgate);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put(
                                "types",
                                types.stream()
                                        .map(type -> StatusJson.type(type, policies.ofType(type.type())))
                                        .toList()));
            } else if (types.isEmpty()) {
                shell.say("nothing is known yet; workers that mind their room learn from every run");
            } else {
                shell.say(table(types, policies));
            }
        }
        return ExitCode.OK;
    }

    private static Table table(List<TypeFigures> types, Policies policies) {
        Table table = new Table("TYPE", "DECLARED", ">EXPECTED", ">RUNS", ">TIME", "MEMORY", "POLICY");
        for (TypeFigures figures : types) {
            Memory memory = figures.memory();
            table.row(
                    figures.type(),
                    figures.needs().isNothing() ? "" : figures.needs().toString(),
                    span(figures.expected()),
                    figures.runs(),
                    span(figures.time()),
                    memory == null ? unmeasured(figures) : measured(memory),
                    String.join("; ", policies.ofType(figures.type()).texts()));
        }
        return table;
    }

    private static String span(@Nullable Duration span) {
        return span == null ? "" : Wording.span(span);
    }

    private static String measured(Memory memory) {
        return "%s, most of %s measured"
                .formatted(Needs.spoken(Needs.MEMORY, memory.bytes()), Wording.count(memory.runs(), "run"));
    }

    private static String unmeasured(TypeFigures figures) {
        return figures.runs() == 0 ? "no run has ended" : "no run measured: batch, or the JVM does not tell";
    }
}
