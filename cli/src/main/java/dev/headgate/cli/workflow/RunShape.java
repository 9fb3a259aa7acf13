package dev.headgate.cli.workflow;

import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import dev.headgate.cli.text.Table;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs as rows and as JSON. */
final class RunShape {
    private RunShape() {}

    static Json json(RunStatus run) {
        return listed(run).putJson("data", run.json());
    }

    /** Without the data: a list is looked at for other reasons, and by more people. */
    static Json listed(RunStatus run) {
        return Json.object()
                .put("id", run.id().value())
                .put("workflow", run.workflow())
                .put("version", run.version())
                .put("state", run.state())
                .put("key", run.key())
                .put("parent", run.parent() == null ? null : run.parent().value())
                .put("name", run.name())
                .put("place", run.place())
                .put("step", run.step())
                .put("until", run.until())
                .put("awaits", run.awaits())
                .put("detail", run.detail())
                .put("children", children(run.children()))
                .put("startedAt", run.startedAt())
                .put("endedAt", run.endedAt())
                .put("budget", run.budget().stream().map(BudgetShape::json).toList());
    }

    private static @Nullable Json children(@Nullable Children children) {
        return children == null
                ? null
                : Json.object()
                        .put("total", children.total())
                        .put("created", children.created())
                        .put("succeeded", children.succeeded())
                        .put("failed", children.failed());
    }

    static Table table(List<RunStatus> runs, Instant now) {
        Table table = new Table(">RUN", "STATE", "WORKFLOW", "STEP", "KEY", "STARTED", ">TOOK", "BUDGET", "DETAIL");
        for (RunStatus run : runs) {
            table.row(
                    run.id(),
                    Spoken.word(run.state()),
                    "%s@%d".formatted(run.workflow(), run.version()),
                    orDash(run.step()),
                    orDash(run.key()),
                    Spoken.from(now, run.startedAt()),
                    Spoken.span(took(run, now)),
                    BudgetShape.tightest(run.budget()),
                    detail(run, now));
        }
        return table;
    }

    /** Whether it is a run of its own, and not only a branch or item of one. */
    static boolean isRun(RunStatus run) {
        return run.parent() == null || run.name().equals(run.workflow());
    }

    static Duration took(RunStatus run, Instant now) {
        Instant ended = run.endedAt();
        return Duration.between(run.startedAt(), ended == null ? now : ended);
    }

    /** What it waits for or died of, on one line. */
    static String detail(RunStatus run, Instant now) {
        String detail = run.detail();
        if (detail != null) {
            return detail.lines().findFirst().orElse("");
        }
        Instant until = run.until();
        Children children = run.children();
        return switch (run.state()) {
            case SLEEPING -> until == null ? "" : "wakes " + Spoken.from(now, until);
            case AWAITING ->
                "waits for '%s'%s"
                        .formatted(run.awaits(), until == null ? "" : ", gives up " + Spoken.from(now, until));
            case JOINING -> children == null ? "" : children(children, true);
            default -> "";
        };
    }

    static String children(Children children, boolean isBrief) {
        String ended = "%,d of %,d succeeded".formatted(children.succeeded(), children.total());
        String failed = children.failed() == 0 ? "" : ", %,d failed".formatted(children.failed());
        boolean isComplete = isBrief && children.created() == children.total();
        return ended + failed + (isComplete ? "" : ", %,d created".formatted(children.created()));
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
