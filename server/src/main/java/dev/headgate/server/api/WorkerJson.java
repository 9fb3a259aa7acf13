package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.resource.Capacity;
import dev.headgate.status.Overview.WorkerView;
import java.util.List;

/** Workers as JSON, for the HTTP API and the command line. */
public final class WorkerJson {
    private WorkerJson() {}

    /** All of them. */
    public static List<JsonWriter> all(List<WorkerView> workers) {
        return workers.stream().map(WorkerJson::of).toList();
    }

    /** One worker. */
    public static JsonWriter of(WorkerView worker) {
        return JsonWriter.object()
                .put("id", worker.id())
                .put("name", worker.name())
                .put("queues", worker.queues())
                .put("slots", worker.slots())
                .put("busy", worker.busy())
                .put("startedAt", worker.startedAt())
                .put("leaseUntil", worker.leaseUntil())
                .put("room", room(worker.room()));
    }

    /** Each resource with the most that a job can have and what is left. */
    private static JsonWriter room(Capacity room) {
        JsonWriter json = JsonWriter.object();
        room.levels()
                .forEach((name, level) -> json.put(
                        name, JsonWriter.object().put("whole", level.whole()).put("free", level.free())));
        return json;
    }
}
