package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues, gates and job types are shut and opened over HTTP. */
class ControlsOverHttpTest {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    @TempDir
    Path folder;

    private ServerRig rig;

    @BeforeEach
    void start() {
        rig = new ServerRig(folder);
        rig.headgate.policies().gate("api", gate -> gate.limits("concurrency 2; rate 10/1s burst 5"));
        rig.headgate.policies().queue("mail", queue -> queue.limits("concurrency 5"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Answer act(String path) throws IOException {
        return rig.send("POST", path, rig.admin, "", Map.of());
    }

    private boolean isOpen(GateKey gate) {
        return rig.headgate.limiter(gate).check(1).isEmpty();
    }

    @Test
    void aGateIsHeldReleasedAndCleared() throws IOException {
        GateKey api = GateKey.gate("api");
        assertThat(rig.post("/v1/gates/api/hold", "{\"for\":\"10m\",\"reason\":\"provider is down\"}")
                        .body())
                .isEqualTo("{\"name\":\"api\",\"held\":true,\"remark\":null}");
        assertThat(isOpen(api)).isFalse();
        assertThat(json(rig.get("/v1/gates/api")).get("shut").asString()).contains("provider is down");
        assertThat(rig.post("/v1/gates/api/hold", "{\"for\":\"1m\"}").body()).contains("\"held\":false");
        assertThat(act("/v1/gates/api/release").body()).contains("\"released\":true");
        assertThat(act("/v1/gates/api/release").body()).contains("\"released\":false");
        assertThat(isOpen(api)).isTrue();
        Instant until = Instant.now().plus(Duration.ofHours(1));
        assertThat(rig.post("/v1/gates/api/hold", "{\"until\":\"%s\"}".formatted(until))
                        .body())
                .contains("\"held\":true");
        assertThat(act("/v1/gates/api/clear").body()).contains("\"cleared\":true");
        assertThat(isOpen(api)).isTrue();
    }

    @Test
    void aPushBackShutsAsLongAsItWasToldAndCountsOnceWhileItIsShut() throws IOException {
        Answer shut = rig.post("/v1/gates/api/push-back", "{\"retryAfter\":\"5m\",\"reason\":\"429\"}");
        assertThat(json(shut).get("shutMs").asLong()).isBetween(290_000L, 300_000L);
        assertThat(isOpen(GateKey.gate("api"))).isFalse();
        rig.post("/v1/gates/api/push-back", "{\"retryAfter\":\"1s\"}");
        assertThat(json(rig.get("/v1/gates/api")).get("shut").asString())
                .contains("429")
                .doesNotContain("in a row");
        assertThat(act("/v1/queues/mail/push-back").status()).isEqualTo(200);
        assertThat(isOpen(GateKey.queue("mail"))).isFalse();
    }

    @Test
    void queuesGatesAndTypesArePausedUnderTheNameOfTheToken() throws IOException {
        for (String path : new String[] {"queues/mail", "gates/api", "types/send"}) {
            assertThat(rig.post("/v1/%s/pause".formatted(path), "{\"reason\":\"upgrade\"}")
                            .status())
                    .isEqualTo(200);
        }
        Answer paused = rig.get("/v1/pauses");
        assertThat(json(paused).get("paused")).hasSize(3);
        assertThat(json(paused).get("paused").get(0).get("author").asString()).startsWith("admin (token ");
        assertThat(paused.body()).contains("upgrade");
        assertThat(isOpen(GateKey.gate("api"))).isFalse();
        for (String path : new String[] {"queues/mail", "gates/api", "types/send"}) {
            assertThat(act("/v1/%s/resume".formatted(path)).body()).contains("\"paused\":false");
            assertThat(problem(act("/v1/%s/resume".formatted(path)))).isEqualTo("wrong-state");
        }
        assertThat(json(rig.get("/v1/pauses")).get("paused")).isEmpty();
    }

    @Test
    void namesAreReadFromThePathPartByPart() throws IOException {
        String name = "site:https://a.example/x y%";
        rig.headgate.policies().gate(name, gate -> gate.limits("concurrency 1"));
        Answer read = rig.get("/v1/gates/site:https:%2F%2Fa.example%2Fx%20y%25");
        assertThat(read.status()).as(read.body()).isEqualTo(200);
        assertThat(json(read).get("name").asString()).isEqualTo(name);
        rig.headgate.policies().gate("..", gate -> gate.limits("concurrency 1"));
        assertThat(json(rig.get("/v1/gates/%2e%2e")).get("name").asString()).isEqualTo("..");
        assertThat(json(rig.post("/v1/queues/tenant:*/pause", "{}")).get("name").asString())
                .isEqualTo("tenant:*");
    }

    @Test
    void aNameThatMeansNothingIsToldWithWhatIsNear() throws IOException {
        Answer unknown = rig.get("/v1/gates/apo");
        assertThat(problem(unknown)).isEqualTo("not-found");
        assertThat(json(unknown).get("detail").asString()).contains("did you mean 'api'?");
        assertThat(json(rig.get("/v1/queues/mial")).get("detail").asString()).contains("did you mean 'mail'?");
        assertThat(json(rig.post("/v1/gates/apo/hold", "{\"for\":\"1s\"}"))
                        .get("remark")
                        .asString())
                .contains("did you mean 'api'?");
        assertThat(json(rig.post("/v1/queues/api/hold", "{\"for\":\"1s\"}"))
                        .get("remark")
                        .asString())
                .contains("a gate has that name");
        assertThat(problem(act("/v1/gates/nothing/clear"))).isEqualTo("not-found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {}                                              | expected one of 'for' and 'until', got none
            {"for":"1m","until":"2100-01-01T00:00:00Z"}     | got both
            {"for":"soon"}                                  | field 'for'
            {"for":"0s"}                                    | more than zero
            {"for":"1000d"}                                 | more than zero
            {"until":"2001-01-01T00:00:00Z"}                | in the future
            {"for":"1m","colour":"red"}                     | unknown field 'colour'
            {"for":"1m","reason":7}                         | field 'reason'
            """)
    void aWrongHoldIsRefusedAndShutsNothing(String body, String told) throws IOException {
        Answer answer = rig.post("/v1/gates/api/hold", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(isOpen(GateKey.gate("api"))).isTrue();
    }

    @Test
    void actsWithoutAFieldTakeNoneAndPatternsCannotBeHeld() throws IOException {
        assertThat(problem(rig.post("/v1/gates/api/release", "{\"reason\":\"x\"}")))
                .isEqualTo("bad-field");
        assertThat(problem(rig.post("/v1/gates/tenant:*/hold", "{\"for\":\"1m\"}")))
                .isEqualTo("bad-field");
    }

    @Test
    void aTokenForAQueueShutsThatQueueAndNothingElse() throws IOException {
        String queue = rig.token(TokenRequest.named("mail")
                .right(Right.OPERATE)
                .right(Right.READ)
                .queue("mail"));
        assertThat(rig.send("POST", "/v1/queues/mail/hold", queue, "{\"for\":\"1m\"}", JSON)
                        .status())
                .isEqualTo(200);
        assertThat(problem(rig.send("POST", "/v1/queues/other/hold", queue, "{\"for\":\"1m\"}", JSON)))
                .isEqualTo("not-found");
        assertThat(problem(rig.send("POST", "/v1/queues/ma*/pause", queue, "{}", JSON)))
                .isEqualTo("not-found");
        assertThat(problem(rig.send("POST", "/v1/gates/api/hold", queue, "{\"for\":\"1m\"}", JSON)))
                .isEqualTo("outside-scope");
        String type = rig.token(TokenRequest.named("type")
                .right(Right.OPERATE)
                .right(Right.READ)
                .queue("mail")
                .type("send"));
        assertThat(problem(rig.send("POST", "/v1/queues/mail/release", type, "", Map.of())))
                .isEqualTo("outside-scope");
        assertThat(rig.send("GET", "/v1/queues/mail", type, "", Map.of()).status())
                .isEqualTo(200);
        assertThat(isOpen(GateKey.queue("mail"))).isFalse();
        assertThat(isOpen(GateKey.gate("api"))).isTrue();
    }

    @Test
    void holdersAndTheHeadOfTheLineAreShown() throws IOException {
        rig.headgate.policies().gate("one", gate -> gate.limits("concurrency 1"));
        JobId first = rig.headgate
                .enqueueJson("send", "{}", job -> job.queue("mail").gate("one"))
                .id();
        JobId second = rig.headgate
                .enqueueJson("send", "{}", job -> job.queue("mail").gate("one"))
                .id();
        String worker = json(rig.post(
                        "/v1/workers", "{\"name\":\"w\",\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5}"))
                .get("worker")
                .asString();
        rig.post(
                "/v1/workers/%s/turn".formatted(worker),
                "{\"queues\":[\"mail\"],\"types\":[\"send\"],\"slots\":5,\"free\":5}");
        var gate = json(rig.get("/v1/gates/one"));
        assertThat(gate.get("holders").get(0).get("id").asLong()).isEqualTo(first.value());
        assertThat(gate.get("next").get(0).get("id").asLong()).isEqualTo(second.value());
        assertThat(gate.get("readings").get(0).get("used").asInt()).isEqualTo(1);
        assertThat(gate.get("readings").get(0).get("most").asInt()).isEqualTo(1);
        assertThat(json(rig.get("/v1/workers/" + worker)).get("busy").asInt()).isEqualTo(1);
        var waits = json(rig.get("/v1/waits")).get("waits");
        assertThat(waits).hasSize(1);
        assertThat(waits.get(0).get("at").get("name").asString()).isEqualTo("one");
    }
}
