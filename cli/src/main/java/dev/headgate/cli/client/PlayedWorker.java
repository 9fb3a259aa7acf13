package dev.headgate.cli.client;

import dev.headgate.internal.json.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A worker that has registered, as the played server knows it. Guarded by the lock of its server. */
final class PlayedWorker {
    private final String id;
    private final Set<Long> known = new HashSet<>();
    private final Set<String> done = new HashSet<>();
    final Map<Long, Lease> holds = new HashMap<>();
    boolean isLost;
    private long lastTurn;

    record Lease(PlayedJob job, long epoch) {
        JsonWriter json() {
            return JsonWriter.object()
                    .put("id", job.id())
                    .put("epoch", epoch)
                    .put("type", Stage.TYPE)
                    .put("queue", Stage.QUEUE)
                    .put("gates", List.of())
                    .put("attempt", 1)
                    .put("attemptsMax", 5)
                    .putRaw("payload", job.payload())
                    .put("timeoutMs", null)
                    .put("deadline", null)
                    .put("startWithinMs", job.startWithin());
        }
    }

    PlayedWorker(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    /** The worker has received this lease for sure. */
    void knows(Lease lease) {
        known.add(lease.job().id());
    }

    void end(Lease lease) {
        holds.remove(lease.job().id());
        known.remove(lease.job().id());
        done.add(key(lease.job().id(), lease.epoch()));
    }

    @Nullable
    Lease held(JsonNode reference) {
        Lease lease = holds.get(reference.path("id").asLong(-1));
        return lease != null && lease.epoch() == reference.path("epoch").asLong(-1) ? lease : null;
    }

    /** Whether this outcome may be a repetition of one that was taken. */
    boolean hasEnded(JsonNode reference) {
        return done.contains(
                key(reference.path("id").asLong(-1), reference.path("epoch").asLong(-1)));
    }

    private static String key(long id, long epoch) {
        return id + "/" + epoch;
    }

    /** What is wrong with a turn, whatever is being played. */
    List<String> faults(JsonNode turn) {
        List<String> faults = new ArrayList<>();
        int slots = turn.path("slots").asInt(0);
        int free = turn.path("free").asInt(-1);
        int held = turn.path("held").size();
        if (slots < 1 || free < 0) {
            faults.add("a turn with slots %d and free %d; expected 'slots' and 'free'".formatted(slots, free));
        } else if (free > 0 && free + held > slots) {
            faults.add("a turn that asks for %d jobs while it holds %d, with %d slots".formatted(free, held, slots));
        }
        Set<Long> named = new HashSet<>();
        for (JsonNode lease : turn.path("held")) {
            named.add(lease.path("id").asLong());
            if (held(lease) == null) {
                faults.add(
                        "a turn that names job %s as held, whose lease it does not have".formatted(lease.path("id")));
            }
        }
        for (JsonNode ended : turn.path("ended")) {
            named.add(ended.path("id").asLong());
            if (held(ended) == null && !hasEnded(ended)) {
                faults.add("an outcome of job %s, whose lease it does not hold".formatted(ended.path("id")));
            }
        }
        known.stream().filter(id -> !named.contains(id)).findFirst().ifPresent(id -> {
            known.remove(id);
            faults.add("a turn that does not name job %d, which it was given, in 'held' or 'ended'".formatted(id));
        });
        long number = turn.path("turn").asLong(0);
        if (number > 0 && number <= lastTurn) {
            faults.add("turn %d after turn %d; expected a greater number in each call, repeated ones too"
                    .formatted(number, lastTurn));
        }
        lastTurn = Math.max(lastTurn, number);
        return faults;
    }
}
