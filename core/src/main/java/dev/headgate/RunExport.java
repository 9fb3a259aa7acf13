package dev.headgate;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.internal.workflow.RunStore.Whole;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes everything about a run as one JSON text. */
final class RunExport {
    private final RunStore store;
    private final JsonCodec codec;

    RunExport(RunStore store, JsonCodec codec) {
        this.store = store;
        this.codec = codec;
    }

    String export(RunStatus run) {
        Whole whole = store.whole(run.id());
        Map<String, @Nullable Object> all = new LinkedHashMap<>(status(run));
        all.put("budget", run.budget().stream().map(RunExport::line).toList());
        all.put(
                "parts",
                whole.parts().stream()
                        .filter(part -> !part.id().equals(run.id()))
                        .map(part -> part(part, whole))
                        .toList());
        all.put("timeline", whole.timeline().stream().map(this::event).toList());
        all.put("artifacts", whole.artifacts().getOrDefault(run.id(), new TreeMap<>()));
        return codec.print("export of run " + run.id(), all);
    }

    /** A child run has artifacts of its own, and another may have some of the same names. */
    private Map<String, @Nullable Object> part(RunStatus part, Whole whole) {
        Map<String, @Nullable Object> map = status(part);
        if (whole.artifacts().containsKey(part.id())) {
            map.put("artifacts", whole.artifacts().get(part.id()));
        }
        return map;
    }

    private Map<String, @Nullable Object> status(RunStatus run) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("id", run.id().value());
        map.put(
                "parent",
                run.origin().parent() == null ? null : run.origin().parent().value());
        map.put("workflow", run.origin().workflow());
        map.put("version", run.origin().version());
        map.put("state", run.state().name());
        map.put("name", run.origin().name());
        map.put("place", run.origin().place());
        map.put("key", run.origin().key());
        map.put("labels", run.origin().attributes().labels());
        map.put("headers", run.origin().attributes().headers());
        map.put("step", run.position().step());
        map.put("value", tree(run.position().json()));
        map.put(
                "until",
                run.position().until() == null ? null : run.position().until().toString());
        map.put("awaits", run.position().awaits());
        map.put("detail", run.life().detail());
        map.put("startedAt", run.life().startedAt().toString());
        map.put(
                "endedAt",
                run.life().endedAt() == null ? null : run.life().endedAt().toString());
        return map;
    }

    private static Map<String, Object> line(BudgetLine line) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("guardrail", line.guardrail().title());
        map.put("limit", line.limit());
        map.put("used", line.used());
        map.put("reserved", line.reserved());
        return map;
    }

    private Map<String, @Nullable Object> event(RunEvent event) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("run", event.part().value());
        map.put("number", event.number());
        map.put("at", event.at().toString());
        map.put("kind", event.kind().name());
        map.put("step", event.step());
        map.put("detail", event.detail());
        map.put("state", tree(event.state()));
        return map;
    }

    private @Nullable Object tree(@Nullable String json) {
        return json == null ? null : codec.tree(json);
    }
}
