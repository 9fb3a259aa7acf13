package dev.headgate.cli.workflows;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.run.RunStatus.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs as rows and as JSON. */
final class RunRows {
    private RunRows() {}

    static JsonWriter json(RunStatus run) {
        return listed(run)
                .putJson("headers", PairsText.json(run.origin().attributes().headers()))
                .putJson("data", run.position().json());
    }

    /** Without the data: a list is read for other reasons, and by more people. */
    static JsonWriter listed(RunStatus run) {
        return JsonWriter.object()
                .put("id", run.id().value())
                .put("workflow", run.origin().workflow())
                .put("version", run.origin().version())
                .put("state", run.state())
                .put("key", run.origin().key())
                .put("labels", run.origin().attributes().labels())
                .putRaw("headers", PairsText.shown(run.origin().attributes().headers()))
                .put(
                        "parent",
                        run.origin().parent() == null
                                ? null
                                : run.origin().parent().value())
                .put("name", run.origin().name())
                .put("place", run.origin().place())
                .put("step", run.position().step())
                .put("until", run.position().until())
                .put("awaits", run.position().awaits())
                .put(
                        "work",
                        run.position().work() == null
                                ? null
                                : work(run.position().work()))
                .put("detail", run.life().detail())
                .put(
                        "stoppedBy",
                        run.life().stoppedBy().stream()
                                .sorted()
                                .map(Guardrail::title)
                                .toList())
                .put("children", children(run.position().children()))
                .put("startedAt", run.life().startedAt())
                .put("endedAt", run.life().endedAt())
                .put("budget", run.budget().stream().map(BudgetRows::json).toList());
    }

    /** How a job stands, or several in the same way. */
    static JsonWriter work(Work work) {
        return JsonWriter.object()
                .put("job", work.job().value())
                .put("stand", work.stand())
                .put("where", work.where())
                .put("due", work.due())
                .put("jobs", work.jobs())
                .put("text", work.text());
    }

    private static @Nullable JsonWriter children(@Nullable Children children) {
        return children == null
                ? null
                : JsonWriter.object()
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
                    word(run),
                    "%s@%d".formatted(run.origin().workflow(), run.origin().version()),
                    orDash(run.position().step()),
                    orDash(run.origin().key()),
                    Wording.from(now, run.life().startedAt()),
                    Wording.span(took(run, now)),
                    BudgetRows.tightest(run),
                    detail(run, now));
        }
        return table;
    }

    /** Whether it is a run of its own, and not only a branch or item of one. */
    static boolean isRun(RunStatus run) {
        return run.origin().parent() == null
                || run.origin().name().equals(run.origin().workflow());
    }

    static Duration took(RunStatus run, Instant now) {
        Instant ended = run.life().endedAt();
        return Duration.between(run.life().startedAt(), ended == null ? now : ended);
    }

    /** Its state in a word; a run whose step does not run yet is waiting. */
    static String word(RunStatus run) {
        return isWaitingToRun(run) ? "waiting" : Wording.word(run.state());
    }

    /** Whether it is at a step that is a job, and no worker runs that job. */
    static boolean isWaitingToRun(RunStatus run) {
        Work work = run.position().work();
        return run.state() == RunState.RUNNING && work != null && !work.isRunning();
    }

    /** How a job stands, in words. */
    static String text(Work work, Instant now) {
        return work.due() == null ? work.text() : "%s, %s".formatted(work.text(), Wording.from(now, work.due()));
    }

    /** Several kinds of standing on one line: {@code 135 waiting at gate openai, 5 running}. */
    static String counts(List<Work> works, Instant now) {
        return works.stream()
                .map(work -> "%,d %s".formatted(work.jobs(), text(work, now)))
                .collect(Collectors.joining("; "));
    }

    /** What it waits for or failed of, on one line. */
    static String detail(RunStatus run, Instant now) {
        String detail = run.life().detail();
        Work work = run.position().work();
        String waits = work == null || work.isRunning() ? "" : text(work, now);
        String own =
                detail == null ? waitsFor(run, now) : detail.lines().findFirst().orElse("");
        return own.isEmpty() || waits.isEmpty() ? own + waits : "%s; %s".formatted(own, waits);
    }

    private static String waitsFor(RunStatus run, Instant now) {
        Instant until = run.position().until();
        Children children = run.position().children();
        return switch (run.state()) {
            case SLEEPING -> until == null ? "" : "wakes " + Wording.from(now, until);
            case AWAITING ->
                "waits for '%s'%s"
                        .formatted(
                                run.position().awaits(), until == null ? "" : ", gives up " + Wording.from(now, until));
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
