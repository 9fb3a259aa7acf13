package dev.headgate.server.once;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.time.Micros;
import dev.headgate.server.http.ProblemException;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.RequestKeyRow;
import dev.headgate.spi.RequestKeyTable;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs, those with a key once. The key and its answer are written in the transaction that stores the job: whatever breaks off
 * between, both are there or neither is. Of two requests with the same key at once, on any servers, the store lets one through; the
 * other rolls back and finds the answer of the first.
 */
public final class OnceEnqueue {
    /** A key can only be taken again if it expires while it is looked at. */
    private static final int TRIES_MAX = 5;

    private static final int CREATED = 201;
    private static final int OK = 200;

    private OnceEnqueue() {}

    /** A job to be stored. */
    public record Asked(JsonJob job, @Nullable RequestKey key) {}

    /**
     * What became of it.
     *
     * @param isRepeat whether it was done before, and this is the answer of then
     */
    public record Answer(int status, String body, boolean isRepeat) {}

    /** A key of the batch stands for another request. */
    public static final class KeyReusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int place;
        private final transient ProblemException problem;

        KeyReusedException(int place, ProblemException problem) {
            super(problem.detail(), null, false, false);
            this.place = place;
            this.problem = problem;
        }

        /** Which job of the batch has the key. */
        public int place() {
            return place;
        }

        public ProblemException problem() {
            return problem;
        }
    }

    /** Another transaction has written one of the keys meanwhile. */
    private static final class KeyTakenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        KeyTakenException() {
            super("key taken", null, false, false);
        }
    }

    /**
     * Stores those that were not stored before: all of them or none.
     *
     * @throws KeyReusedException if a key stands for another request; nothing was stored
     */
    public static List<Answer> run(Headgate headgate, List<Asked> batch) {
        Map<RequestKey, Integer> places = places(batch);
        KeyTakenException taken = new KeyTakenException();
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Map<RequestKey, Answer> known = known(OpenStore.of(headgate), places);
            List<Integer> fresh = fresh(batch, places, known);
            try {
                return answers(
                        batch,
                        fresh,
                        store(headgate, fresh.stream().map(batch::get).toList()),
                        known);
            } catch (KeyTakenException again) {
                taken = again;
            }
        }
        throw new IllegalStateException("expected an idempotency key to be free or answered", taken);
    }

    /** The places of the jobs that are to be stored: those without a key, and of each key that is not known the first. */
    private static List<Integer> fresh(
            List<Asked> batch, Map<RequestKey, Integer> places, Map<RequestKey, Answer> known) {
        List<Integer> fresh = new ArrayList<>();
        for (int place = 0; place < batch.size(); place++) {
            RequestKey key = batch.get(place).key();
            if (key == null || (!known.containsKey(key) && places.getOrDefault(key, -1) == place)) {
                fresh.add(place);
            }
        }
        return fresh;
    }

    /** Where each key of the batch stands first. */
    private static Map<RequestKey, Integer> places(List<Asked> batch) {
        Map<RequestKey, Integer> places = new LinkedHashMap<>();
        Map<String, RequestKey> byName = new HashMap<>();
        for (int place = 0; place < batch.size(); place++) {
            RequestKey key = batch.get(place).key();
            if (key != null) {
                RequestKey first = byName.putIfAbsent(key.key(), key);
                if (first != null && !first.equals(key)) {
                    throw new KeyReusedException(place, key.reused());
                }
                places.putIfAbsent(key, place);
            }
        }
        return places;
    }

    /** The answers of requests that were done before. */
    private static Map<RequestKey, Answer> known(Backend backend, Map<RequestKey, Integer> places) {
        if (places.isEmpty()) {
            return Map.of();
        }
        String token = places.keySet().iterator().next().token();
        Collection<String> names = places.keySet().stream().map(RequestKey::key).toList();
        Map<String, RequestKeyRow> rows = new HashMap<>();
        backend.read(tx -> tx.requestKeys().find(token, names, expired(tx))).forEach(row -> rows.put(row.key(), row));
        Map<RequestKey, Answer> known = new HashMap<>();
        places.forEach((key, place) -> {
            RequestKeyRow row = rows.get(key.key());
            if (row != null && !row.request().equals(key.request())) {
                throw new KeyReusedException(place, key.reused());
            }
            if (row != null) {
                known.put(key, new Answer(row.status(), row.answer(), true));
            }
        });
        return known;
    }

    private static long expired(StoreTransaction tx) {
        return tx.now() - Micros.of(RequestKeyTable.KEPT);
    }

    private static List<Enqueued> store(Headgate headgate, List<Asked> fresh) {
        if (fresh.isEmpty()) {
            return List.of();
        }
        List<JsonJob> jobs = fresh.stream().map(Asked::job).toList();
        if (fresh.stream().allMatch(asked -> asked.key() == null)) {
            return headgate.enqueueAllJson(jobs);
        }
        return OpenStore.enqueuer(headgate, (tx, rows) -> write(tx, fresh, rows.get()))
                .enqueueAllJson(jobs);
    }

    private static void write(StoreTransaction tx, List<Asked> fresh, List<Inserted> jobs) {
        List<RequestKeyRow> rows = new ArrayList<>();
        long now = tx.now();
        for (int i = 0; i < fresh.size(); i++) {
            RequestKey key = fresh.get(i).key();
            if (key != null) {
                Answer answer = answer(jobs.get(i).id(), jobs.get(i).isNew());
                rows.add(new RequestKeyRow(key.token(), key.key(), key.request(), answer.status(), answer.body(), now));
            }
        }
        if (tx.requestKeys().put(rows, expired(tx)) < rows.size()) {
            throw new KeyTakenException();
        }
    }

    private static Answer answer(long id, boolean isNew) {
        return new Answer(
                isNew ? CREATED : OK,
                JsonWriter.object().put("id", id).put("new", isNew).toString(),
                false);
    }

    private static List<Answer> answers(
            List<Asked> batch, List<Integer> fresh, List<Enqueued> stored, Map<RequestKey, Answer> known) {
        Map<Integer, Answer> byPlace = new HashMap<>();
        Map<RequestKey, Answer> byKey = new HashMap<>(known);
        for (int i = 0; i < fresh.size(); i++) {
            Answer answer = answer(stored.get(i).id().value(), stored.get(i).isNew());
            byPlace.put(fresh.get(i), answer);
            RequestKey key = batch.get(fresh.get(i)).key();
            if (key != null) {
                byKey.put(key, answer);
            }
        }
        List<Answer> all = new ArrayList<>();
        for (int place = 0; place < batch.size(); place++) {
            Answer answer = byPlace.get(place);
            RequestKey key = batch.get(place).key();
            all.add(
                    answer != null || key == null
                            ? Objects.requireNonNull(answer, "a job without a key is stored")
                            : Objects.requireNonNull(byKey.get(key), "a key is known or its job is stored"));
        }
        return all;
    }
}
