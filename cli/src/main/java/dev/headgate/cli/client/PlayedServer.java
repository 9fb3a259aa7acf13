package dev.headgate.cli.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.headgate.cli.client.PlayedWorker.Lease;
import dev.headgate.internal.json.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Answers a client as the server does, from memory, and does what a script says: loses an answer, delays it, refuses. Keeps every request.
 * Its lock guards all of it; threads that wait for a change wait on it.
 */
final class PlayedServer implements AutoCloseable {
    static final String TOKEN = "hg_played-by-client-check";
    private static final String WORKERS = "/v1/workers";
    private static final int NO_BODY = -1;

    /** What becomes of a request. */
    enum Fate {
        ANSWER,
        /** It is not acted upon, and the connection breaks. */
        LOSE_REQUEST,
        /** It is acted upon, and the connection breaks. */
        LOSE_ANSWER,
        UNAVAILABLE,
        TOO_MANY
    }

    /** Decides about each request. */
    @FunctionalInterface
    interface Plan {
        Fate of(Seen seen);
    }

    private record Answer(int status, JsonWriter body, List<Lease> granted) {
        static Answer of(JsonWriter body) {
            return new Answer(200, body, List.of());
        }
    }

    private final HttpServer server;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final long begin = System.nanoTime();
    private final Map<String, PlayedWorker> workers = new HashMap<>();
    private final Deque<PlayedJob> waiting = new ArrayDeque<>();
    private long jobs;
    private long epochs;
    private long news;

    final List<Seen> seen = new ArrayList<>();
    final List<String> faults = new ArrayList<>();
    /** The outcomes that were taken, by job. */
    final Map<Long, JsonNode> outcomes = new HashMap<>();

    Plan plan = request -> Fate.ANSWER;
    /** How long after it was acted upon an answer is sent, by the act. */
    final Map<String, Integer> delays = new HashMap<>();

    Predicate<JsonNode> isRefused = outcome -> false;
    Predicate<JsonNode> isAgain = outcome -> false;
    final List<Long> toStop = new ArrayList<>();
    boolean hasUnknownFields;
    int retryAfter = 2;

    PlayedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    long millis() {
        return (System.nanoTime() - begin) / 1_000_000;
    }

    /** Puts a job into the queue and wakes waits. */
    synchronized long offer(String payload, @Nullable Integer startWithin) {
        waiting.add(new PlayedJob(++jobs, payload, startWithin));
        news++;
        notifyAll();
        return jobs;
    }

    /** Ends the leases of all workers: from now on they get 410. */
    synchronized void loseWorkers() {
        workers.values().forEach(worker -> {
            worker.isLost = true;
            worker.holds.clear();
        });
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Seen request = seen(exchange, text);
            Fate fate;
            Answer answer;
            synchronized (this) {
                note(exchange, request);
                fate = plan.of(request);
                if (fate == Fate.LOSE_REQUEST) {
                    return;
                }
                answer = isBlocked(fate) ? problem(fate) : act(request);
            }
            if (request.is("wait") && answer.status() == 200) {
                answer = await(request);
            }
            int delay = delays.getOrDefault(request.act(), 0);
            if (delay > 0) {
                Thread.sleep(delay);
            }
            if (fate != Fate.LOSE_ANSWER) {
                send(exchange, answer);
                deliver(request, answer, delay);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isBlocked(Fate fate) {
        return fate == Fate.UNAVAILABLE || fate == Fate.TOO_MANY;
    }

    private Seen seen(HttpExchange exchange, String text) {
        String path = exchange.getRequestURI().getPath();
        String[] parts = path.split("/", -1);
        JsonNode read = JsonWriter.read(text.isEmpty() ? "{}" : text);
        String act;
        if (!path.startsWith(WORKERS)) {
            act = "other";
        } else if (parts.length == 3) {
            act = "register";
        } else {
            act = exchange.getRequestMethod().equals("DELETE") ? "leave" : parts[parts.length - 1];
        }
        return new Seen(
                millis(),
                act,
                parts.length > 3 ? parts[3] : "",
                read == null ? MissingNode.getInstance() : read,
                exchange.getRemoteAddress().getPort());
    }

    private void note(HttpExchange exchange, Seen request) {
        seen.add(request);
        String sent = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (!sent.equals("Bearer " + TOKEN)) {
            faults.add("%s without the token; expected 'Authorization: Bearer' and HEADGATE_TOKEN"
                    .formatted(request.act()));
        }
        notifyAll();
    }

    private Answer problem(Fate fate) {
        int status = fate == Fate.UNAVAILABLE ? 503 : 429;
        return problem(status, fate == Fate.UNAVAILABLE ? "store-unavailable" : "too-many-guesses", "played");
    }

    private static Answer problem(int status, String type, String detail) {
        return new Answer(
                status,
                JsonWriter.object()
                        .put("type", "/problems/" + type)
                        .put("title", "Played by client-check")
                        .put("status", status)
                        .put("detail", detail)
                        .put("remedy", "None: it belongs to the check."),
                List.of());
    }

    private Answer act(Seen request) {
        if (request.is("register")) {
            PlayedWorker worker = new PlayedWorker("played." + (workers.size() + 1));
            workers.put(worker.id(), worker);
            return new Answer(
                    201,
                    extended(JsonWriter.object().put("worker", worker.id()).put("leaseMs", Stage.LEASE)),
                    List.of());
        }
        PlayedWorker worker = workers.get(request.worker());
        if (worker == null) {
            return problem(404, "not-found", "no such worker");
        }
        if (worker.isLost) {
            return problem(410, "worker-lost", "the worker's lease has ended");
        }
        return switch (request.act()) {
            case "turn" -> turn(worker, request.body());
            case "heartbeat" -> Answer.of(extended(JsonWriter.object().put("stop", stopped(worker))));
            case "notes" ->
                Answer.of(extended(JsonWriter.object().put("refused", refusedNotes(worker, request.body()))));
            case "leave" -> {
                worker.isLost = true;
                yield Answer.of(JsonWriter.object().put("worker", worker.id()));
            }
            default -> Answer.of(JsonWriter.object());
        };
    }

    private List<Long> stopped(PlayedWorker worker) {
        return toStop.stream().filter(worker.holds::containsKey).toList();
    }

    private List<Long> refusedNotes(PlayedWorker worker, JsonNode body) {
        List<Long> refused = new ArrayList<>();
        for (JsonNode note : body.path("notes")) {
            if (worker.held(note) == null) {
                faults.add("a note of job %s after its outcome, or without its lease".formatted(note.path("id")));
                refused.add(note.path("id").asLong());
            }
        }
        return refused;
    }

    private Answer turn(PlayedWorker worker, JsonNode body) {
        faults.addAll(worker.faults(body));
        for (JsonNode ended : body.path("ended")) {
            if (isRefused.test(ended)) {
                return problem(400, "bad-field", "field 'result': played as one that no store takes");
            }
        }
        List<Long> refused = new ArrayList<>();
        List<Long> again = new ArrayList<>();
        List<Long> named = new ArrayList<>();
        body.path("held").forEach(lease -> named.add(lease.path("id").asLong()));
        for (JsonNode ended : body.path("ended")) {
            Lease lease = worker.held(ended);
            long id = ended.path("id").asLong();
            named.add(id);
            if (lease == null) {
                refused.add(id);
            } else if (isAgain.test(ended)) {
                again.add(id);
            } else {
                take(worker, lease, ended);
            }
        }
        List<Lease> granted = new ArrayList<>(worker.holds.values().stream()
                .filter(lease -> !named.contains(lease.job().id()))
                .toList());
        grant(worker, body, granted);
        return new Answer(
                200,
                extended(JsonWriter.object()
                        .put(
                                "leases",
                                granted.stream()
                                        .map(lease -> extended(lease.json()))
                                        .toList())
                        .put("refused", refused)
                        .put("again", again)
                        .put("stop", stopped(worker))
                        .put("nextMs", null)
                        .put("mark", "played." + news)),
                granted);
    }

    private void take(PlayedWorker worker, Lease lease, JsonNode ended) {
        String outcome = ended.path("outcome").asString("");
        worker.end(lease);
        if (outcome.equals("late") || outcome.equals("returned")) {
            waiting.addFirst(new PlayedJob(lease.job().id(), lease.job().payload(), null));
        }
        outcomes.put(lease.job().id(), ended);
        notifyAll();
    }

    private void grant(PlayedWorker worker, JsonNode body, List<Lease> granted) {
        int slots = body.path("slots").asInt(0);
        int most = Math.min(body.path("free").asInt(0) - granted.size(), slots * 3 - worker.holds.size());
        for (int i = 0; i < most && !waiting.isEmpty(); i++) {
            Lease lease = new Lease(waiting.removeFirst(), ++epochs);
            worker.holds.put(lease.job().id(), lease);
            granted.add(lease);
        }
    }

    private void deliver(Seen request, Answer answer, int delay) {
        synchronized (this) {
            PlayedWorker worker = workers.get(request.worker());
            if (worker != null && delay == 0) {
                answer.granted().stream().filter(worker.holds::containsValue).forEach(worker::knows);
            }
        }
    }

    private synchronized Answer await(Seen request) throws InterruptedException {
        String mark = request.body().path("mark").asString("");
        long end = millis() + Math.min(25, request.body().path("seconds").asInt(0)) * 1000L;
        while (mark.equals("played." + news) && millis() < end) {
            wait(Math.max(1, end - millis()));
        }
        return Answer.of(extended(JsonWriter.object().put("news", !mark.equals("played." + news))));
    }

    private JsonWriter extended(JsonWriter body) {
        return hasUnknownFields
                ? body.put("aFieldOfALaterVersion", List.of(1, "two")).put("another", null)
                : body;
    }

    private void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set("Content-Type", answer.status() < 400 ? "application/json" : "application/problem+json");
        if (answer.status() == 503 || answer.status() == 429) {
            exchange.getResponseHeaders().set("Retry-After", String.valueOf(retryAfter));
        }
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? NO_BODY : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
