package dev.headgate.cli.client;

import dev.headgate.cli.client.PlayedServer.Fate;
import dev.headgate.limit.Spans;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** What a client must do while all is well. */
final class WorkChecks {
    private static final String TEXT = "Gr\u00fc\u00dfe \u2028 \ud83d\ude00 \\\"quoted\\\"";

    private WorkChecks() {}

    static List<ClientCheck> all() {
        return List.of(
                new ClientCheck(
                        "start",
                        "registers with name, queues, types, slots and lease, and takes a turn",
                        WorkChecks::start),
                new ClientCheck(
                        "outcomes", "runs jobs and brings their results, or their errors", WorkChecks::outcomes),
                new ClientCheck("slots", "never asks for more jobs than it has slots for", WorkChecks::slots),
                new ClientCheck(
                        "late-start",
                        "does not run a job that arrives later than startWithinMs after its call was sent",
                        WorkChecks::lateStart),
                new ClientCheck(
                        "heartbeats",
                        "sends a heartbeat at least twice in each lease, with what it holds",
                        WorkChecks::beats),
                new ClientCheck(
                        "heartbeat-apart",
                        "goes on with heartbeats while a turn has no answer",
                        WorkChecks::beatsApart),
                new ClientCheck("stop", "stops a handler whose job was cancelled", WorkChecks::stop),
                new ClientCheck("notes", "brings log lines before the outcome of their job", WorkChecks::notes),
                new ClientCheck("idle", "waits for work instead of asking again and again", WorkChecks::idle),
                new ClientCheck(
                        "wake", "takes a job within a second after its wait was told of news", WorkChecks::wake),
                new ClientCheck("connections", "keeps its connections", WorkChecks::connections),
                new ClientCheck("unknown-fields", "ignores fields that it does not know", WorkChecks::unknownFields));
    }

    private static void start(Stage stage) throws InterruptedException {
        stage.begin();
        JsonNode body = stage.requests("register").getFirst().body();
        if (body.path("name").asString("").isEmpty() || body.path("slots").asInt(0) < 1) {
            throw new ClientFault("a registration without 'name' or 'slots'");
        }
        if (!names(body, "queues", Stage.QUEUE) || !names(body, "types", Stage.TYPE)) {
            throw new ClientFault("a registration whose 'queues' and 'types' do not have '%s'".formatted(Stage.QUEUE));
        }
        String lease = body.path("lease").asString("30s");
        if (Spans.parse(lease).toMillis() != Stage.LEASE) {
            throw new ClientFault("a lease of %s; the program is to ask for 3 s".formatted(lease));
        }
        JsonNode turn = stage.requests("turn").getFirst().body();
        if (!names(turn, "queues", Stage.QUEUE) || !names(turn, "types", Stage.TYPE)) {
            throw new ClientFault("a turn whose 'queues' and 'types' do not have '%s'".formatted(Stage.QUEUE));
        }
    }

    private static boolean names(JsonNode body, String field, String name) {
        return StreamSupport.stream(body.path(field).spliterator(), false)
                .anyMatch(each -> each.asString("").equals(name));
    }

    private static void outcomes(Stage stage) throws InterruptedException {
        stage.begin();
        long good = stage.offer("{\"value\":{\"text\":\"%s\",\"list\":[1,null]}}".formatted(TEXT));
        long bad = stage.offer("{\"fail\":\"played\"}");
        JsonNode result = stage.awaitOutcome(good, 10_000, "succeeded").path("result");
        String text = TEXT.replace("\\\"", "\"");
        if (!result.path("text").asString("").equals(text)
                || result.path("list").size() != 2) {
            throw new ClientFault("the result %s, where the payload's 'value' was expected".formatted(result));
        }
        JsonNode failed = stage.awaitOutcome(bad, 10_000, "failed");
        if (!failed.path("error").asString("").contains("played")) {
            throw new ClientFault("the error '%s', where 'played' was expected".formatted(failed.path("error")));
        }
    }

    /** So many jobs of this length. */
    static List<Long> offer(Stage stage, int jobs, int millis) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            ids.add(stage.offer("{\"ms\":%d,\"value\":%d}".formatted(millis, i)));
        }
        return ids;
    }

    static void awaitAll(Stage stage, List<Long> ids, int millis) throws InterruptedException {
        for (Long id : ids) {
            stage.awaitOutcome(id, millis, "succeeded");
        }
    }

    private static void slots(Stage stage) throws InterruptedException {
        stage.begin();
        awaitAll(stage, offer(stage, 24, 150), 15_000);
    }

    private static void lateStart(Stage stage) throws InterruptedException {
        stage.begin();
        synchronized (stage.server) {
            stage.server.delays.put("turn", 700);
        }
        long job = stage.server.offer("{\"value\":1}", 300);
        stage.awaitOutcome(job, 10_000, "late");
        synchronized (stage.server) {
            stage.server.delays.clear();
            stage.server.outcomes.remove(job);
        }
        stage.awaitOutcome(job, 10_000, "succeeded");
    }

    private static void beats(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"ms\":%d}".formatted(Stage.LEASE * 2));
        stage.awaitOutcome(job, Stage.LEASE * 4, "succeeded");
        List<Seen> beats = checkPace(stage, 0);
        boolean isHeld = beats.stream()
                .anyMatch(beat -> StreamSupport.stream(beat.body().path("held").spliterator(), false)
                        .anyMatch(held -> held.path("id").asLong() == job));
        if (!isHeld) {
            throw new ClientFault("no heartbeat that names the running job in 'held'");
        }
    }

    /** No two heartbeats are further apart than half of a lease, with something for a slow machine. */
    private static List<Seen> checkPace(Stage stage, long from) {
        List<Seen> beats = stage.requests("register", "heartbeat").stream()
                .filter(each -> each.millis() >= from)
                .toList();
        long before = from == 0 ? beats.getFirst().millis() : from;
        int longest = Stage.LEASE * 6 / 10;
        for (Seen beat : beats) {
            checkGap(beat.millis() - before, longest);
            before = beat.millis();
        }
        checkGap(stage.server.millis() - before, longest);
        return beats;
    }

    private static void checkGap(long gap, int longest) {
        if (gap > longest) {
            throw new ClientFault("%d ms without a heartbeat, of a lease of %d ms".formatted(gap, Stage.LEASE));
        }
    }

    private static void beatsApart(Stage stage) throws InterruptedException {
        stage.begin();
        synchronized (stage.server) {
            stage.server.delays.put("turn", Stage.LEASE * 2);
        }
        int turns = stage.requests("turn").size();
        long job = stage.offer("{\"value\":1}");
        stage.await("turn", 10_000, () -> stage.requests("turn").size() > turns);
        stage.watch(Stage.LEASE * 3 / 2);
        checkPace(stage, stage.requests("turn").get(turns).millis());
        synchronized (stage.server) {
            stage.server.delays.clear();
        }
        stage.awaitOutcome(job, Stage.LEASE * 4, "succeeded");
    }

    private static void stop(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"ms\":20000}");
        stage.await("turn or heartbeat that holds the job", 10_000, () -> holds(stage, job));
        synchronized (stage.server) {
            stage.server.toStop.add(job);
        }
        stage.awaitOutcome(job, Stage.LEASE * 2, "cancelled");
    }

    static boolean holds(Stage stage, long job) {
        return stage.requests("turn", "heartbeat").stream()
                .anyMatch(each -> StreamSupport.stream(each.body().path("held").spliterator(), false)
                        .anyMatch(held -> held.path("id").asLong() == job));
    }

    private static void notes(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"log\":\"a line\",\"value\":1}");
        stage.awaitOutcome(job, 10_000, "succeeded");
        stage.watch(500);
        stage.checkFaults();
        boolean isThere = stage.requests("notes").stream()
                .anyMatch(each -> each.body().toString().contains("a line"));
        if (!isThere) {
            throw new ClientFault("no note with the line that the handler logged");
        }
    }

    private static void idle(Stage stage) throws InterruptedException {
        stage.begin();
        stage.watch(1_000);
        int before = stage.requests("turn", "wait").size();
        stage.watch(5_000);
        int asked = stage.requests("turn", "wait").size() - before;
        if (asked > 10) {
            throw new ClientFault("%d turns and waits in 5 idle seconds".formatted(asked));
        }
        if (stage.requests("wait").isEmpty()) {
            throw new ClientFault("no wait");
        }
    }

    private static void wake(Stage stage) throws InterruptedException {
        stage.begin();
        stage.await("wait", 10_000, () -> !stage.requests("wait").isEmpty());
        stage.watch(1_500);
        long job = stage.offer("{\"value\":1}");
        stage.awaitOutcome(job, 1_000, "succeeded");
    }

    private static void connections(Stage stage) throws InterruptedException {
        stage.begin();
        for (int i = 0; i < 10; i++) {
            awaitAll(stage, offer(stage, 8, 1), 10_000);
        }
        long used = stage.requests("turn", "wait", "heartbeat", "notes").stream()
                .map(Seen::connection)
                .distinct()
                .count();
        int requests = stage.requests("turn", "wait", "heartbeat", "notes").size();
        if (used > Math.max(6, requests / 4)) {
            throw new ClientFault("%d connections for %d requests".formatted(used, requests));
        }
    }

    private static void unknownFields(Stage stage) throws InterruptedException {
        synchronized (stage.server) {
            stage.server.hasUnknownFields = true;
        }
        stage.begin();
        awaitAll(stage, offer(stage, 6, 10), 10_000);
        stage.await(
                "heartbeat", Stage.LEASE * 2, () -> stage.requests("heartbeat").size() > 1);
        stage.plan(request -> Fate.ANSWER);
        awaitAll(stage, offer(stage, 6, 10), 10_000);
    }
}
