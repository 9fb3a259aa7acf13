package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.Limit;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A worker that is nothing but requests. */
class RemoteWorkTest {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    @TempDir
    Path folder;

    private ServerRig rig;
    private String token;
    private String worker;

    @BeforeEach
    void start() throws IOException {
        rig = new ServerRig(folder);
        token = rig.token(TokenRequest.named("python").right(Right.WORK));
        worker = json(post("/v1/workers", "{\"name\":\"py\",\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5}"))
                .get("worker")
                .asString();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Answer post(String path, String body) throws IOException {
        return rig.send("POST", path, token, body, JSON);
    }

    private JobId enqueue(String... gates) {
        return rig.headgate
                .enqueueJson(
                        "send",
                        "{\"n\":1}",
                        job -> job.queue("mail").gates(List.of(gates)).attempts(3))
                .id();
    }

    private Answer turn(int free, String held, String ended) throws IOException {
        return post(
                "/v1/workers/" + worker + "/turn",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":%d,\"held\":[%s],\"ended\":[%s]}"
                        .formatted(free, held, ended));
    }

    private JsonNode leases(int free) throws IOException {
        return json(turn(free, "", "")).get("leases");
    }

    private static String lease(JsonNode lease) {
        return "{\"id\":%d,\"epoch\":%d}"
                .formatted(lease.get("id").asLong(), lease.get("epoch").asLong());
    }

    private static String ended(JsonNode lease, String how) {
        return lease(lease).replace("}", ",%s}".formatted(how));
    }

    private JobState state(JobId id) {
        return rig.headgate.status(id).state();
    }

    @Test
    void aJobIsTakenRunAndEndedWithItsResult() throws IOException {
        JobId id = enqueue();
        JsonNode lease = leases(5).get(0);
        assertThat(lease.get("id").asLong()).isEqualTo(id.value());
        assertThat(lease.get("payload")).hasToString("{\"n\":1}");
        assertThat(lease.get("startWithinMs").isNull()).isTrue();
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        post(
                "/v1/workers/" + worker + "/notes",
                "{\"notes\":[{\"id\":%s,\"epoch\":1,\"percent\":40,\"message\":\"half\",\"log\":[\"line\"]}]}"
                        .formatted(id));
        assertThat(rig.headgate.log(id))
                .singleElement()
                .satisfies(line -> assertThat(line.text()).isEqualTo("line"));
        JsonNode answer =
                json(turn(5, "", ended(lease, "\"outcome\":\"succeeded\",\"result\":{\"ok\" : 1},\"lagMs\":3")));
        assertThat(answer.get("refused")).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.headgate.status(id).report().result()).isEqualTo("{\"ok\" : 1}");
    }

    @Test
    void whatALostAnswerGrantedComesAgainAndNoMoreThanTheSlotsAreEverHeld() throws IOException {
        IntStream.range(0, 20).forEach(i -> enqueue());
        JsonNode first = leases(5);
        assertThat(first).hasSize(5);
        for (int i = 0; i < 3; i++) {
            JsonNode again = leases(5);
            assertThat(again).hasSize(5);
            assertThat(StreamSupport.stream(again.spliterator(), false).map(RemoteWorkTest::lease))
                    .containsExactlyInAnyOrderElementsOf(StreamSupport.stream(first.spliterator(), false)
                            .map(RemoteWorkTest::lease)
                            .toList());
        }
        String some = lease(first.get(0)) + "," + lease(first.get(1));
        assertThat(json(turn(5, some, "")).get("leases")).hasSize(3);
    }

    @Test
    void aCopyOfATurnThatComesLateTakesBackNothing() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.limit(Limit.window(1).per(Duration.ofHours(1))));
        JobId id = enqueue("api");
        String path = "/v1/workers/" + worker + "/turn";
        String turn = "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":5,\"turn\":%d}";
        JsonNode lease = json(post(path, turn.formatted(2))).get("leases").get(0);
        assertThat(problem(post(path, turn.formatted(1)))).isEqualTo("wrong-state");
        assertThat(problem(post(path, turn.formatted(2)))).isEqualTo("wrong-state");
        assertThat(rig.headgate.status(id).leases().epoch())
                .isEqualTo(lease.get("epoch").asLong());
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        assertThat(json(post(path, turn.formatted(3))).get("leases"))
                .as("the answer of turn 2 may be lost")
                .isEmpty();
    }

    @Test
    void aStartThatALimitCountsGoesBackIfItsAnswerWasLost() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.limit(Limit.window(1).per(Duration.ofHours(1))));
        JobId id = enqueue("api");
        JsonNode lease = leases(5).get(0);
        assertThat(lease.get("startWithinMs").asLong()).isPositive();
        assertThat(leases(5)).as("it may be too late for the limit").isEmpty();
        JsonNode again = leases(5);
        assertThat(again).as("a new start; the old one does not count").hasSize(1);
        assertThat(again.get(0).get("epoch").asLong())
                .isGreaterThan(lease.get("epoch").asLong());
        assertThat(rig.headgate.status(id).leases().attempt()).isEqualTo(1);
        JobId second = enqueue("api");
        String ended = ended(again.get(0), "\"outcome\":\"succeeded\"");
        assertThat(json(turn(5, "", ended)).get("leases")).as("one an hour").isEmpty();
        assertThat(state(second)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void anOutcomeOfAnOlderLeaseOrASecondOneIsRefused() throws IOException {
        JobId id = enqueue();
        JsonNode lease = leases(1).get(0);
        String older = "{\"id\":%s,\"epoch\":%d,\"outcome\":\"succeeded\"}"
                .formatted(id, lease.get("epoch").asLong() - 1);
        JsonNode refused = json(turn(0, lease(lease), older));
        assertThat(refused.get("refused")).hasToString("[%s]".formatted(id));
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        String done = ended(lease, "\"outcome\":\"succeeded\"");
        assertThat(json(turn(0, "", done)).get("refused")).isEmpty();
        assertThat(json(turn(0, "", done)).get("refused")).hasToString("[%s]".formatted(id));
    }

    @Test
    void jobsOfTypesThatTheWorkerDoesNotKnowAreLeftToOthers() throws IOException {
        JobId other = rig.headgate
                .enqueueJson("crawl", "{}", job -> job.queue("mail"))
                .id();
        JobId own = enqueue();
        JsonNode leases = leases(5);
        assertThat(leases).hasSize(1);
        assertThat(leases.get(0).get("id").asLong()).isEqualTo(own.value());
        assertThat(state(other)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void eachOutcomeDoesWhatItSays() throws IOException {
        JobId failed = enqueue();
        turn(0, "", ended(leases(1).get(0), "\"outcome\":\"failed\",\"error\":\"no\",\"permanent\":true"));
        assertThat(state(failed)).isEqualTo(JobState.FAILED);
        JobId retried = enqueue();
        turn(0, "", ended(leases(1).get(0), "\"outcome\":\"retry\",\"error\":\"later\",\"delay\":\"1h\""));
        assertThat(state(retried)).isEqualTo(JobState.SCHEDULED);
        JobId own = rig.headgate
                .enqueueJson("send", "{}", job -> job.queue("mail").attempts(1))
                .id();
        turn(0, "", ended(leases(1).get(0), "\"outcome\":\"failed\",\"error\":\"last\""));
        assertThat(rig.headgate.status(own).report().detail()).isEqualTo("last");
        assertThat(state(own)).isEqualTo(JobState.FAILED);
        JobId returned = enqueue();
        turn(0, "", ended(leases(1).get(0), "\"outcome\":\"returned\""));
        assertThat(rig.headgate.status(returned).leases().attempt()).isZero();
        JobId pushed = enqueue("api");
        JsonNode both = leases(2);
        turn(
                0,
                "",
                ended(byId(both, returned), "\"outcome\":\"succeeded\"") + ","
                        + ended(
                                byId(both, pushed),
                                "\"outcome\":\"pushed_back\",\"gate\":\"api\",\"error\":\"429\",\"retryAfter\":\"1h\""));
        assertThat(rig.headgate.explain(pushed).summary()).contains("429");
        assertThat(leases(5)).as("the gate is shut for all").isEmpty();
    }

    private static JsonNode byId(JsonNode leases, JobId id) {
        for (JsonNode lease : leases) {
            if (lease.get("id").asLong() == id.value()) {
                return lease;
            }
        }
        throw new AssertionError("expected job %s among %s".formatted(id, leases));
    }

    @Test
    void aCancelledJobIsNamedUntilItStops() throws IOException {
        JobId id = enqueue();
        JsonNode lease = leases(1).get(0);
        rig.headgate.cancel(id);
        assertThat(json(turn(0, lease(lease), "")).get("stop")).hasToString("[%s]".formatted(id));
        String beat = "{\"held\":[%s]}".formatted(lease(lease));
        assertThat(json(post("/v1/workers/" + worker + "/heartbeat", beat)).get("stop"))
                .hasToString("[%s]".formatted(id));
        turn(0, "", ended(lease, "\"outcome\":\"cancelled\""));
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aWorkerWhoseLeaseHasEndedMustRegisterAgain() throws IOException {
        JobId id = enqueue();
        leases(1);
        new JobStore(OpenStore.of(rig.headgate)).deregister(worker);
        assertThat(problem(turn(1, "", ""))).isEqualTo("worker-lost");
        assertThat(problem(post("/v1/workers/" + worker + "/heartbeat", "{}"))).isEqualTo("worker-lost");
        assertThat(state(id)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void leavingGivesBackWhatIsHeld() throws IOException {
        JobId id = enqueue();
        leases(1);
        assertThat(rig.send("DELETE", "/v1/workers/" + worker, token, "", Map.of())
                        .status())
                .isEqualTo(200);
        assertThat(state(id)).isEqualTo(JobState.QUEUED);
        assertThat(rig.headgate.status(id).leases().attempt()).isZero();
    }

    @Test
    void onlyTheTokenThatRegisteredAWorkerSpeaksForIt() throws IOException {
        String other = rig.token(TokenRequest.named("other").right(Right.WORK));
        String body = "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":5}";
        assertThat(problem(rig.send("POST", "/v1/workers/" + worker + "/turn", other, body, JSON)))
                .isEqualTo("not-found");
        assertThat(problem(rig.send("DELETE", "/v1/workers/" + worker, other, "", Map.of())))
                .isEqualTo("not-found");
    }

    @Test
    void aWorkerWaitsUntilThereIsNewsAndMissesNone() throws Exception {
        String mark = json(turn(5, "", "")).get("mark").asString();
        String wait = "{\"queues\":[\"mail\"],\"mark\":\"%s\",\"seconds\":%d}";
        String path = "/v1/workers/" + worker + "/wait";
        assertThat(json(post(path, wait.formatted(mark, 0))).get("news").asBoolean())
                .isFalse();
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return post(path, wait.formatted(mark, 25));
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        });
        enqueue();
        assertThat(json(waiting.get()).get("news").asBoolean()).isTrue();
        assertThat(json(post(path, wait.formatted(mark, 0))).get("news").asBoolean())
                .as("told before it asked")
                .isTrue();
        assertThat(json(post(path, "{\"queues\":[\"mail\"],\"mark\":\"elsewhere.7\",\"seconds\":0}"))
                        .get("news")
                        .asBoolean())
                .as("a mark of another server")
                .isTrue();
    }

    @Test
    void wrongTurnsAreRefusedAndChangeNothing() throws IOException {
        JobId id = enqueue();
        String path = "/v1/workers/" + worker + "/turn";
        for (String body : List.of(
                "{}",
                "{\"queues\":[],\"types\":[\"send\"],\"slots\":5,\"free\":5}",
                "{\"queues\":[\"mail\"],\"types\":[],\"slots\":5,\"free\":5}",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":0,\"free\":5}",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":-1}",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":1,\"held\":[7]}",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":1,\"ended\":[{\"id\":1,\"epoch\":1,\"outcome\":\"fine\"}]}",
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":1,\"ended\":[{\"id\":1,\"epoch\":1}]}")) {
            assertThat(problem(post(path, body))).as(body).isIn("bad-field", "bad-json");
        }
        assertThat(state(id)).isEqualTo(JobState.QUEUED);
    }
}
