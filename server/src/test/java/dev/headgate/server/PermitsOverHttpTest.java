package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.limiter.Permit;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Limits without jobs over HTTP: as exact as the limiter in Java, and no permit is taken twice or lost for ever. */
class PermitsOverHttpTest {
    @TempDir
    Path folder;

    private ServerRig rig;

    @BeforeEach
    void start() {
        rig = new ServerRig(folder);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void limit(String gate, String limits) {
        rig.headgate.policies().gate(gate, policy -> policy.limits(limits));
    }

    private JsonNode acquire(String request, String more) throws IOException {
        Answer answer = rig.post("/v1/permits", "{\"request\":\"%s\",%s}".formatted(request, more));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private boolean release(JsonNode permit, String query) throws IOException {
        Answer answer = rig.send(
                "DELETE",
                "/v1/permits/%s%s".formatted(permit.get("permit").asString(), query),
                rig.admin,
                "",
                Map.of());
        return json(answer).get("counted").asBoolean();
    }

    private JsonNode act(JsonNode permit, String verb, String body) throws IOException {
        return json(rig.post("/v1/permits/%s/%s".formatted(permit.get("permit").asString(), verb), body));
    }

    private long used(String gate) throws IOException {
        return json(rig.get("/v1/limits?gate=" + gate))
                .get("uses")
                .get(0)
                .get("used")
                .asLong();
    }

    @Test
    void aPermitHoldsItsPlaceUntilItIsReleased() throws IOException {
        limit("api", "concurrency 1");
        JsonNode first = acquire("a", "\"gates\":[\"api\"]");
        assertThat(first.get("granted").asBoolean()).isTrue();
        JsonNode second = acquire("b", "\"gates\":[\"api\"]");
        assertThat(second.get("granted").asBoolean()).isFalse();
        assertThat(second.get("reason").asString()).contains("1 of 1 in use");
        assertThat(second.get("nextMs").isNull()).isTrue();
        assertThat(rig.headgate.limiter("api").tryAcquire()).isNotInstanceOf(Permit.class);
        assertThat(release(first, "?lag=3ms")).isTrue();
        assertThat(release(first, "")).as("a repeated call").isTrue();
        assertThat(acquire("b", "\"gates\":[\"api\"]").get("granted").asBoolean())
                .isTrue();
        assertThat(rig.headgate.recount()).isEmpty();
    }

    @Test
    void aRepeatedRequestGetsTheSamePermitAndTakesNothingMore() throws IOException {
        limit("rate", "window 5/1h");
        limit("room", "budget 10");
        JsonNode first = acquire("a", "\"gates\":[\"rate\",\"room\"],\"cost\":3");
        JsonNode again = acquire("a", "\"gates\":[\"rate\",\"room\"],\"cost\":3");
        assertThat(again.get("permit").asString()).isEqualTo(first.get("permit").asString());
        assertThat(used("rate")).isEqualTo(1);
        assertThat(used("room")).isEqualTo(3);
        Answer other = rig.post("/v1/permits", "{\"request\":\"a\",\"gates\":[\"rate\",\"room\"],\"cost\":4}");
        assertThat(problem(other)).isEqualTo("wrong-state");
        release(first, "");
        JsonNode ended = acquire("a", "\"gates\":[\"rate\",\"room\"],\"cost\":3");
        assertThat(ended.get("open").asBoolean()).isFalse();
        assertThat(used("rate")).isEqualTo(1);
        assertThat(used("room")).isZero();
    }

    @Test
    void theSameRequestSentByManyAtOnceTakesOnce() throws Exception {
        limit("rate", "window 100/1h");
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String request = "r" + i % 3;
            calls.add(
                    () -> acquire(request, "\"gates\":[\"rate\"]").get("permit").asString());
        }
        List<String> permits = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> each : threads.invokeAll(calls)) {
                permits.add(each.get());
            }
        }
        assertThat(permits.stream().distinct()).hasSize(3);
        assertThat(used("rate")).isEqualTo(3);
    }

    @Test
    void manyClientsNeverHoldMoreThanTheLimit() throws Exception {
        limit("api", "concurrency 3");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String request = "r" + i;
            calls.add(() -> {
                JsonNode permit = acquire(request, "\"gates\":[\"api\"],\"wait\":\"20s\"");
                assertThat(permit.get("granted").asBoolean()).isTrue();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                inside.decrementAndGet();
                return release(permit, "");
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> each : threads.invokeAll(calls)) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(used("api")).isZero();
    }

    @Test
    void thePermitOfAClientThatDiedEndsWithItsTimeAndCountsNoMore() throws IOException {
        limit("api", "concurrency 1");
        JsonNode dead = acquire("dead", "\"gates\":[\"api\"],\"timeToLive\":\"300ms\"");
        JsonNode next = acquire("next", "\"gates\":[\"api\"],\"wait\":\"20s\"");
        assertThat(next.get("granted").asBoolean()).isTrue();
        assertThat(act(dead, "settle", "{\"cost\":0}").get("counted").asBoolean())
                .isFalse();
        assertThat(act(dead, "renew", "{}").get("counted").asBoolean()).isFalse();
        assertThat(act(dead, "push-back", "{}").get("counted").asBoolean()).isFalse();
        assertThat(release(dead, "")).isFalse();
        assertThat(json(rig.get("/v1/permits/" + dead.get("permit").asString()))
                        .get("open")
                        .asBoolean())
                .isFalse();
        assertThat(used("api")).isEqualTo(1);
    }

    @Test
    void aPermitIsRenewedSettledOnceAndPushedBack() throws IOException {
        limit("room", "budget 10; window 100/1h by-cost");
        JsonNode permit = acquire("a", "\"gates\":[\"room\"],\"cost\":4,\"timeToLive\":\"1m\"");
        String end = permit.get("endsAt").asString();
        assertThat(act(permit, "renew", "{\"timeToLive\":\"1h\"}")
                        .get("counted")
                        .asBoolean())
                .isTrue();
        JsonNode renewed = json(rig.get("/v1/permits/" + permit.get("permit").asString()));
        assertThat(renewed.get("endsAt").asString()).isGreaterThan(end);
        assertThat(act(permit, "settle", "{\"cost\":7}").get("counted").asBoolean())
                .isTrue();
        assertThat(act(permit, "settle", "{\"cost\":7}").get("counted").asBoolean())
                .as("a repeated call")
                .isTrue();
        assertThat(act(permit, "settle", "{\"cost\":1}").get("counted").asBoolean())
                .isFalse();
        JsonNode uses = json(rig.get("/v1/limits?gate=room")).get("uses");
        assertThat(uses.get(0).get("used").asLong()).isEqualTo(7);
        assertThat(uses.get(1).get("used").asLong()).isEqualTo(7);
        assertThat(act(permit, "push-back", "{\"retryAfter\":\"1h\"}")
                        .get("counted")
                        .asBoolean())
                .isTrue();
        JsonNode denied = acquire("b", "\"gates\":[\"room\"]");
        assertThat(denied.get("nextMs").asLong()).isBetween(3_500_000L, 3_600_000L);
        assertThat(release(permit, "")).isTrue();
        assertThat(json(rig.get("/v1/limits?gate=room")).get("denied").isNull()).isFalse();
    }

    @Test
    void aPermitThatCameTooLateIsAsIfItHadNeverBeenGranted() throws IOException {
        limit("rate", "window 5/1h margin 1m");
        JsonNode permit = acquire("a", "\"gates\":[\"rate\"]");
        assertThat(permit.get("startWithinMs").asLong()).isBetween(1L, 60_000L);
        assertThat(used("rate")).isEqualTo(1);
        assertThat(release(permit, "?late=true&lag=40s")).isTrue();
        assertThat(used("rate")).isZero();
        assertThat(release(permit, "?late=true")).isTrue();
        assertThat(used("rate")).isZero();
    }

    @Test
    void allGatesOrNoneAndQueuesToo() throws IOException {
        limit("wide", "concurrency 10");
        limit("tight", "concurrency 1");
        rig.headgate.policies().queue("mail", queue -> queue.limits("concurrency 2"));
        String both = "\"gates\":[\"wide\",\"tight\"],\"queues\":[\"mail\"]";
        assertThat(acquire("a", both).get("granted").asBoolean()).isTrue();
        assertThat(acquire("b", both).get("granted").asBoolean()).isFalse();
        assertThat(used("wide")).isEqualTo(1);
        assertThat(json(rig.get("/v1/limits?queue=mail&gate=wide")).get("uses")).hasSize(2);
        JsonNode never = acquire("c", "\"gates\":[\"small\"],\"cost\":7");
        assertThat(never.get("granted").asBoolean()).isTrue();
        limit("small", "budget 5");
        JsonNode tooMuch = acquire("d", "\"gates\":[\"small\"],\"cost\":7,\"wait\":\"20s\"");
        assertThat(tooMuch.get("never").asBoolean()).isTrue();
    }

    @Test
    void anotherTokenCannotSpeakForAPermit() throws IOException {
        limit("api", "concurrency 1");
        JsonNode permit = acquire("a", "\"gates\":[\"api\"]");
        String other = rig.token(Right.ADMIN);
        String path = "/v1/permits/" + permit.get("permit").asString();
        assertThat(problem(rig.send("DELETE", path, other, "", Map.of()))).isEqualTo("not-found");
        assertThat(problem(rig.send("GET", path, other, "", Map.of()))).isEqualTo("not-found");
        for (String forged : new String[] {"0", "-1", "zzzzzzzzzzzzzzzz", "!", "1"}) {
            assertThat(problem(rig.send("DELETE", "/v1/permits/" + forged, rig.admin, "", Map.of())))
                    .as(forged)
                    .isEqualTo("not-found");
        }
        Map<String, String> json = Map.of("Content-Type", "application/json");
        Answer same = rig.send("POST", "/v1/permits", other, "{\"request\":\"a\",\"gates\":[\"api\"]}", json);
        assertThat(json(same).get("granted").asBoolean()).isFalse();
        assertThat(used("api")).isEqualTo(1);
    }

    @Test
    void permitsOutliveTheServer() throws IOException {
        limit("api", "concurrency 1");
        JsonNode permit = acquire("a", "\"gates\":[\"api\"],\"timeToLive\":\"1h\"");
        try (HeadgateServer second = HeadgateServer.of(rig.headgate).start()) {
            RawHttp raw = new RawHttp(second.port());
            Answer answer = raw.send(
                    "DELETE /v1/permits/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
                            .formatted(permit.get("permit").asString(), rig.admin));
            assertThat(json(answer).get("counted").asBoolean()).isTrue();
        }
        assertThat(used("api")).isZero();
        rig.headgate.prune(Duration.ofDays(1));
        assertThat(rig.headgate.limiter(GateKey.gate("api")).check(1)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {"gates":["api"]}                                       | field 'request'
            {"request":"a"}                                         | expected 1 to 16 gates and queues
            {"request":"","gates":["api"]}                          | field 'request'
            {"request":"a","gates":[""]}                            | field 'gates'
            {"request":"a","gates":["api"],"cost":-1}               | field 'cost'
            {"request":"a","gates":["api"],"cost":1.5}              | field 'cost'
            {"request":"a","gates":["api"],"timeToLive":"1ms"}      | field 'timeToLive'
            {"request":"a","gates":["api"],"timeToLive":"2d"}       | field 'timeToLive'
            {"request":"a","gates":["api"],"wait":"1m"}             | field 'wait'
            {"request":"a","gates":["api"],"colour":1}              | unknown field 'colour'
            """)
    void aWrongRequestIsRefusedAndTakesNothing(String body, String told) throws IOException {
        limit("api", "concurrency 1");
        Answer answer = rig.post("/v1/permits", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(used("api")).isZero();
    }

    @Test
    void questionsAreReadStrictly() throws IOException {
        assertThat(problem(rig.get("/v1/limits"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/limits?gate=a&cost=x"))).isEqualTo("bad-query");
        limit("api", "concurrency 1");
        JsonNode permit = acquire("a", "\"gates\":[\"api\"]");
        Answer wrong = rig.send(
                "DELETE",
                "/v1/permits/%s?lag=soon".formatted(permit.get("permit").asString()),
                rig.admin,
                "",
                Map.of());
        assertThat(problem(wrong)).isEqualTo("bad-query");
        assertThat(used("api")).isEqualTo(1);
    }
}
