package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.limit.BacklogCap;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A request with an idempotency key is done once, however often and to whatever server it is sent. */
abstract class IdempotencyContract {
    private static final Map<String, String> LINES = Map.of("Content-Type", "application/x-ndjson");
    private static final String JOB = "{\"type\":\"send\",\"queue\":\"mail\"}";

    private String url = "";
    private ServerRig rig;

    abstract String freshStore();

    @BeforeEach
    void start() {
        url = freshStore();
        rig = new ServerRig(url, "");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private int jobs() {
        return rig.headgate.list(JobFilter.all().limit(1000)).size();
    }

    private Answer post(String key, String body) throws IOException {
        return post(rig, rig.admin, key, body);
    }

    private static Answer post(ServerRig to, String token, String key, String body) throws IOException {
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Idempotency-Key", key);
        return to.send("POST", "/v1/jobs", token, body, headers);
    }

    private List<JsonNode> lines(String body) throws IOException {
        return rig.send("POST", "/v1/jobs/lines", rig.admin, body, LINES)
                .body()
                .lines()
                .map(line -> Contract.JSON.readTree(line))
                .toList();
    }

    @Test
    void aRepeatGetsTheFirstAnswerAlsoOnceTheJobHasEndedAndFromOtherServers() throws IOException {
        Answer first = post("k-1", JOB);
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.headers()).doesNotContainKey("idempotency-replayed");
        JobId id = JobId.of(json(first).get("id").asLong());
        assertThat(rig.headgate.cancel(id)).isNotNull();
        String token = rig.admin;
        List<Answer> repeats = new ArrayList<>(List.of(post("k-1", JOB)));
        try (ServerRig other = new ServerRig(url, "")) {
            repeats.add(post(other, token, "k-1", JOB));
        }
        rig.close();
        rig = new ServerRig(url, "");
        repeats.add(post(rig, token, "k-1", JOB));
        assertThat(repeats).allSatisfy(repeat -> {
            assertThat(repeat.status()).isEqualTo(201);
            assertThat(repeat.body()).isEqualTo(first.body());
            assertThat(repeat.header("location")).isEqualTo(first.header("location"));
            assertThat(repeat.header("idempotency-replayed")).isEqualTo("true");
        });
        assertThat(jobs()).isEqualTo(1);
        rig.headgate.delete(id);
        assertThat(post(rig, token, "k-1", JOB).body()).isEqualTo(first.body());
        assertThat(jobs()).isZero();
    }

    @Test
    void aKeyStandsForOneRequestOfOneToken() throws IOException {
        Answer first = post("k-1", JOB);
        Answer reused = post("k-1", "{\"type\":\"send\",\"queue\":\"mail\" }");
        assertThat(reused.status()).isEqualTo(422);
        assertThat(problem(reused)).isEqualTo("key-reused");
        assertThat(jobs()).isEqualTo(1);
        Answer ofAnother = post(rig, rig.token(Right.ENQUEUE), "k-1", JOB);
        assertThat(ofAnother.status()).isEqualTo(201);
        assertThat(ofAnother.body()).isNotEqualTo(first.body());
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void aRequestThatWasRefusedUsesUpNoKey() throws IOException {
        assertThat(problem(post("k-1", "{\"type\":\"send\",\"cost\":-1}"))).isEqualTo("bad-field");
        rig.headgate.policies().queue("mail", queue -> queue.backlog(BacklogCap.reject(1)));
        assertThat(post("k-0", JOB).status()).isEqualTo(201);
        assertThat(problem(post("k-1", JOB))).isEqualTo("backlog-full");
        rig.headgate.policies().replacing().queue("mail", queue -> queue.backlog(BacklogCap.reject(9)));
        assertThat(post("k-1", JOB).status()).isEqualTo(201);
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void aRepeatWhileTheFirstIsUnderWayIsToldToWait() throws Exception {
        rig.headgate.policies().queue("mail", queue -> queue.backlog(BacklogCap.block(1, Duration.ofMinutes(5))));
        JobId blocking =
                rig.headgate.enqueueJson("send", "{}", job -> job.queue("mail")).id();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ExecutorCompletionService<Answer> both = new ExecutorCompletionService<>(threads);
            both.submit(() -> post("k-1", JOB));
            both.submit(() -> post("k-1", JOB));
            Answer early = both.take().get();
            assertThat(early.status()).isEqualTo(409);
            assertThat(problem(early)).isEqualTo("key-in-use");
            assertThat(early.header("retry-after")).isEqualTo("1");
            rig.headgate.cancel(blocking);
            assertThat(both.take().get().status()).isEqualTo(201);
        }
        assertThat(post("k-1", JOB).header("idempotency-replayed")).isEqualTo("true");
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void manyAtOnceOnTwoServersStoreOneJob() throws Exception {
        try (ServerRig other = new ServerRig(url, "");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                String key = "k-" + round;
                String line = "{\"type\":\"send\",\"idempotencyKey\":\"l-%d\"}\n".formatted(round);
                List<Future<Answer>> singles = new ArrayList<>();
                List<Future<Answer>> batches = new ArrayList<>();
                for (ServerRig each : List.of(rig, other, rig, other)) {
                    singles.add(threads.submit(() -> post(each, rig.admin, key, JOB)));
                    batches.add(threads.submit(
                            () -> each.send("POST", "/v1/jobs/lines", rig.admin, line.repeat(3), LINES)));
                }
                List<String> stored = new ArrayList<>();
                for (Future<Answer> each : singles) {
                    if (each.get().status() == 201) {
                        stored.add(each.get().body());
                    } else {
                        assertThat(problem(each.get())).isEqualTo("key-in-use");
                    }
                }
                assertThat(stored.stream().distinct()).hasSize(1);
                assertThat(batches.stream().map(each -> answer(each).body()).distinct())
                        .hasSize(1);
                assertThat(jobs()).isEqualTo(2 * (round + 1));
            }
        }
    }

    private static Answer answer(Future<Answer> each) {
        try {
            return each.get();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void eachLineMayHaveAKeyOfItsOwn() throws IOException {
        String body = IntStream.range(0, 2_500)
                .mapToObj(i -> "{\"type\":\"send\",\"payload\":%d,\"idempotencyKey\":\"k%d\"}\n".formatted(i, i))
                .collect(Collectors.joining());
        List<JsonNode> first = lines(body.substring(0, body.indexOf("{\"type\":\"send\",\"payload\":1700")));
        assertThat(first).hasSize(1_700);
        List<JsonNode> again = lines(body);
        assertThat(again).hasSize(2_500);
        assertThat(again.subList(0, 1_700)).isEqualTo(first);
        assertThat(again.stream().map(line -> line.get("id").asLong()).distinct())
                .hasSize(2_500);
        assertThat(again)
                .allSatisfy(line -> assertThat(line.get("new").asBoolean()).isTrue());
        assertThat(lines(body)).isEqualTo(again);
    }

    @Test
    void aLineWithAKeyOfAnotherLineEndsTheBody() throws IOException {
        String one = "{\"type\":\"a\",\"idempotencyKey\":\"k\"}\n";
        List<JsonNode> within =
                lines(one + one + "{\"type\":\"a\"}\n" + "{\"type\":\"b\",\"idempotencyKey\":\"k\"}\n" + one);
        assertThat(within).hasSize(4);
        assertThat(within.get(1).get("id")).isEqualTo(within.get(0).get("id"));
        assertThat(within.get(3).get("type").asString()).isEqualTo("/problems/key-reused");
        assertThat(within.get(3).get("line").asInt()).isEqualTo(4);
        assertThat(jobs()).isEqualTo(2);
        List<JsonNode> later = lines("{\"type\":\"c\"}\n{\"type\":\"b\",\"idempotencyKey\":\"k\"}\n");
        assertThat(later.get(0).has("id")).isTrue();
        assertThat(later.get(1).get("status").asInt()).isEqualTo(422);
        assertThat(jobs()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "has space", "k\u00e9y", "\ttab\tinside"})
    void aKeyIsVisibleAscii(String key) throws IOException {
        assertThat(problem(post(key, JOB))).isIn("bad-header", "bad-request");
        assertThat(jobs()).isZero();
    }

    @Test
    void aKeyIsBoundedAndRefusedWhereItWouldBeIgnored() throws IOException {
        assertThat(post("k".repeat(200), JOB).status()).isEqualTo(201);
        assertThat(problem(post("k".repeat(201), JOB))).isEqualTo("bad-header");
        Map<String, String> onLines = Map.of("Content-Type", "application/x-ndjson", "Idempotency-Key", "k");
        assertThat(problem(rig.send("POST", "/v1/jobs/lines", rig.admin, JOB, onLines)))
                .isEqualTo("bad-header");
        assertThat(lines("{\"type\":\"a\",\"idempotencyKey\":\"\"}")
                        .getFirst()
                        .get("type")
                        .asString())
                .isEqualTo("/problems/bad-field");
        assertThat(problem(rig.post("/v1/jobs", "{\"type\":\"a\",\"idempotencyKey\":\"k\"}")))
                .isEqualTo("bad-field");
        assertThat(jobs()).isEqualTo(1);
    }
}
