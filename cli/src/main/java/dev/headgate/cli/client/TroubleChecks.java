package dev.headgate.cli.client;

import dev.headgate.cli.client.PlayedServer.Fate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import tools.jackson.databind.node.MissingNode;

/** What a client must do when answers are lost, the server is away, its lease has ended, or it is to stop. */
final class TroubleChecks {
    private static final int ASKED_MAX = 40;

    private TroubleChecks() {}

    static List<ClientCheck> all() {
        return List.of(
                new ClientCheck(
                        "lost-grant",
                        "repeats a turn whose answer was lost, and runs what it granted once",
                        stage -> lost(stage, Fate.LOSE_ANSWER, TroubleChecks::isAsking)),
                new ClientCheck(
                        "lost-answer",
                        "repeats a turn that brought outcomes and had no answer; refused ones are done",
                        stage -> lost(stage, Fate.LOSE_ANSWER, TroubleChecks::isBringing)),
                new ClientCheck(
                        "lost-request",
                        "brings outcomes again if the connection broke before they were taken",
                        stage -> lost(stage, Fate.LOSE_REQUEST, TroubleChecks::isBringing)),
                new ClientCheck(
                        "again",
                        "brings outcomes again that were not taken yet, not in a busy loop",
                        TroubleChecks::again),
                new ClientCheck(
                        "refused-result",
                        "fails a job whose result no server takes, and keeps no other back",
                        TroubleChecks::refusedResult),
                new ClientCheck(
                        "back-off-503",
                        "waits as long as Retry-After says after 503",
                        stage -> backOff(stage, Fate.UNAVAILABLE)),
                new ClientCheck(
                        "back-off-429",
                        "waits as long as Retry-After says after 429",
                        stage -> backOff(stage, Fate.TOO_MANY)),
                new ClientCheck(
                        "server-away", "tries more slowly while the server is away, and goes on", TroubleChecks::away),
                new ClientCheck(
                        "lease-lost",
                        "registers again after 410, and brings nothing of the lease that it lost",
                        TroubleChecks::leaseLost),
                new ClientCheck(
                        "suspended",
                        "registers again if it was suspended past its lease, and runs nothing of it",
                        TroubleChecks::suspended),
                new ClientCheck(
                        "sigterm",
                        "on SIGTERM takes no more jobs, ends what runs, leaves and exits",
                        TroubleChecks::terminate),
                new ClientCheck(
                        "sigterm-away",
                        "on SIGTERM exits soon, too, while the server is away",
                        TroubleChecks::terminateAway));
    }

    private static boolean isAsking(Seen request) {
        return request.is("turn") && request.body().path("free").asInt(0) > 0;
    }

    private static boolean isBringing(Seen request) {
        return request.is("turn") && !request.body().path("ended").isEmpty();
    }

    private static void lost(Stage stage, Fate fate, Predicate<Seen> which) throws InterruptedException {
        stage.begin();
        AtomicBoolean isLost = new AtomicBoolean();
        List<Long> jobs;
        synchronized (stage.server) { // so that no turn comes in between
            jobs = WorkChecks.offer(stage, 3, 300);
            stage.plan(request -> which.test(request) && isLost.compareAndSet(false, true) ? fate : Fate.ANSWER);
        }
        WorkChecks.awaitAll(stage, jobs, 10_000);
        WorkChecks.awaitAll(stage, WorkChecks.offer(stage, 3, 10), 10_000);
    }

    private static void again(Stage stage) throws InterruptedException {
        stage.begin();
        synchronized (stage.server) {
            stage.server.isAgain = outcome -> true;
        }
        long job = stage.offer("{\"value\":1}");
        stage.await("outcome", 10_000, () -> stage.requests("turn").stream().anyMatch(TroubleChecks::isBringing));
        int before = stage.requests("turn").size();
        stage.watch(2_000);
        int asked = stage.requests("turn").size() - before;
        if (asked < 1 || asked > ASKED_MAX * 2) {
            throw new ClientFault("%d turns in the 2 seconds after 'again'".formatted(asked));
        }
        synchronized (stage.server) {
            stage.server.isAgain = outcome -> false;
        }
        stage.awaitOutcome(job, 10_000, "succeeded");
    }

    private static void refusedResult(Stage stage) throws InterruptedException {
        stage.begin();
        synchronized (stage.server) {
            stage.server.isRefused = ended -> ended.path("result").asString("").equals("refuse me");
        }
        List<Long> good = WorkChecks.offer(stage, 2, 100);
        long bad = stage.offer("{\"ms\":100,\"value\":\"refuse me\"}");
        WorkChecks.awaitAll(stage, good, 10_000);
        stage.awaitOutcome(bad, 10_000, "failed");
        WorkChecks.awaitAll(stage, WorkChecks.offer(stage, 3, 10), 10_000);
    }

    private static void backOff(Stage stage, Fate fate) throws InterruptedException {
        stage.begin();
        stage.await("wait", 10_000, () -> !stage.requests("wait").isEmpty());
        int turns = stage.requests("turn").size();
        int waits = stage.requests("wait").size();
        stage.plan(request -> request.is("heartbeat") ? Fate.ANSWER : fate);
        long job = stage.offer("{\"value\":1}");
        stage.watch(5_000);
        checkPauses(stage.requests("turn").subList(turns, stage.requests("turn").size()), stage);
        checkPauses(stage.requests("wait").subList(waits, stage.requests("wait").size()), stage);
        stage.plan(request -> Fate.ANSWER);
        stage.awaitOutcome(job, 10_000, "succeeded");
    }

    private static void checkPauses(List<Seen> requests, Stage stage) {
        for (int i = 1; i < requests.size(); i++) {
            long pause = requests.get(i).millis() - requests.get(i - 1).millis();
            if (pause < stage.server.retryAfter * 1000L - 100) {
                throw new ClientFault("the next %s after %d ms, where Retry-After said %d s"
                        .formatted(requests.get(i).act(), pause, stage.server.retryAfter));
            }
        }
    }

    private static void away(Stage stage) throws InterruptedException {
        stage.begin();
        stage.plan(request -> Fate.LOSE_REQUEST);
        int before = stage.requests("turn", "wait").size();
        long job = stage.offer("{\"value\":1}");
        stage.watch(5_000);
        int asked = stage.requests("turn", "wait").size() - before;
        if (asked > ASKED_MAX) {
            throw new ClientFault("%d turns and waits in 5 seconds without an answer".formatted(asked));
        }
        stage.plan(request -> Fate.ANSWER);
        // Its lease may have come near its end meanwhile: then it hands back what it is granted first.
        stage.await(
                "outcome 'succeeded' of job " + job,
                10_000,
                () -> stage.server
                        .outcomes
                        .getOrDefault(job, MissingNode.getInstance())
                        .path("outcome")
                        .asString("")
                        .equals("succeeded"));
    }

    private static void leaseLost(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"ms\":1500}");
        stage.await("turn or heartbeat that holds the job", 10_000, () -> WorkChecks.holds(stage, job));
        stage.server.loseWorkers();
        awaitNewcomer(stage, job);
    }

    /** It has registered again, works, and says nothing of the job that it lost; what it says is looked at as it comes. */
    private static void awaitNewcomer(Stage stage, long lost) throws InterruptedException {
        stage.await(
                "second registration",
                Stage.LEASE * 3,
                () -> stage.requests("register").size() > 1);
        WorkChecks.awaitAll(stage, WorkChecks.offer(stage, 3, 10), 10_000);
        stage.watch(1_500);
        stage.checkFaults();
        synchronized (stage.server) {
            if (stage.server.outcomes.containsKey(lost)) {
                throw new ClientFault("an outcome of job %d after its lease was lost".formatted(lost));
            }
        }
    }

    private static void suspended(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"ms\":1000}");
        stage.await("turn or heartbeat that holds the job", 10_000, () -> WorkChecks.holds(stage, job));
        stage.signal("STOP");
        stage.server.loseWorkers();
        stage.watch(Stage.LEASE * 3 / 2);
        stage.signal("CONT");
        awaitNewcomer(stage, job);
    }

    private static void terminate(Stage stage) throws InterruptedException {
        stage.begin();
        long job = stage.offer("{\"ms\":1500}");
        stage.await("turn or heartbeat that holds the job", 10_000, () -> WorkChecks.holds(stage, job));
        stage.terminate();
        stage.watch(500);
        int turns = stage.requests("turn").size();
        stage.awaitExit(10_000);
        List<Seen> later =
                stage.requests("turn").subList(turns, stage.requests("turn").size());
        if (later.stream().anyMatch(TroubleChecks::isAsking)) {
            throw new ClientFault("a turn that asks for jobs after SIGTERM");
        }
        stage.awaitOutcome(job, 100, "succeeded", "returned");
        if (stage.requests("leave").isEmpty()) {
            throw new ClientFault("an exit without DELETE of the worker: what it holds waits for the end of its lease");
        }
    }

    private static void terminateAway(Stage stage) throws InterruptedException {
        stage.begin();
        stage.plan(request -> Fate.UNAVAILABLE);
        stage.watch(1_000);
        stage.terminate();
        stage.awaitExit(10_000);
    }
}
