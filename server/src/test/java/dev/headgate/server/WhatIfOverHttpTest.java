package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.limiter.Permit;
import dev.headgate.server.RawHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Simulations, rehearsals of policies and evidence over HTTP. None of them changes anything. */
class WhatIfOverHttpTest {
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

    private void enqueue(int jobs, String gate) {
        for (int i = 0; i < jobs; i++) {
            rig.headgate.enqueueJson("ask", "{}", job -> job.queue("mail").gate(gate));
        }
    }

    @Test
    void theBacklogIsPlayedUnderStoredPoliciesAndOthers() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.limits("concurrency 1"));
        enqueue(10, "api");
        JsonNode now = json(rig.post("/v1/simulate", "{\"run\":\"1s\",\"turn\":\"0s\",\"slots\":100}"));
        assertThat(now.get("started").asInt()).isEqualTo(10);
        assertThat(now.get("lastEndMs").asLong()).isEqualTo(10_000);
        JsonNode then = json(
                rig.post(
                        "/v1/simulate",
                        "{\"run\":\"1s\",\"turn\":\"0s\",\"slots\":100,\"policies\":{\"gates\":{\"api\":{\"limits\":[\"concurrency 5\"]}}}}"));
        assertThat(then.get("lastEndMs").asLong()).isEqualTo(2_000);
        JsonNode coming = json(
                rig.post("/v1/simulate", "{\"arrivals\":[\"20 gate api run 100ms\"],\"turn\":\"0s\",\"slots\":100}"));
        assertThat(coming.get("lastEndMs").asLong()).isEqualTo(2_000);
        assertThat(rig.headgate.policies().version()).isEqualTo(1);
    }

    @Test
    void aRehearsalTellsWhatWouldChangeAndHowTheBacklogWouldGo() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.limits("concurrency 1"));
        rig.headgate.policies().gate("other", gate -> gate.limits("concurrency 1"));
        enqueue(10, "api");
        String policies = "\"policies\":{\"gates\":{\"api\":{\"limits\":[\"concurrency 2\"]}}}";
        Answer rehearsed = rig.post(
                "/v1/policies/dry-run", "{%s,\"simulate\":{\"run\":\"1s\",\"turn\":\"0s\"}}".formatted(policies));
        JsonNode seen = json(rehearsed);
        assertThat(seen.get("changes")).hasSize(1);
        assertThat(seen.get("untouched").asInt()).isEqualTo(1);
        assertThat(seen.get("before").get("lastEndMs").asLong()).isEqualTo(10_000);
        assertThat(seen.get("after").get("lastEndMs").asLong()).isEqualTo(5_000);
        assertThat(rehearsed.header("etag")).isEqualTo("\"2\"");
        JsonNode pruned = json(rig.post("/v1/policies/dry-run", "{%s,\"prune\":true}".formatted(policies)));
        assertThat(pruned.get("changes")).hasSize(2);
        assertThat(pruned.get("after").isNull()).isTrue();
        assertThat(rig.headgate.policies().version()).isEqualTo(2);
    }

    @Test
    void aRehearsalRefusesWhatAChangeWouldRefuse() throws IOException {
        String unknown = "{\"policies\":{\"types\":{\"ask\":{\"requires\":[\"nowhere\"]}}}}";
        Answer refused = rig.post("/v1/policies/dry-run", unknown);
        assertThat(problem(refused)).isEqualTo("bad-field");
        assertThat(json(refused).get("detail").asString()).contains("nowhere");
        String retention = "{\"policies\":{\"gates\":{\"api\":{\"limits\":[\"retention 3d\"]}}}}";
        assertThat(problem(rig.post("/v1/policies/dry-run", retention))).isEqualTo("bad-field");
        assertThat(rig.headgate.policies().version()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {"arrivals":["many"]}                | field 'arrivals'
            {"arrivals":["2000000"]}             | at most 1000000
            {"slots":0}                          | slots
            {"duration":"0s"}                    | duration
            {"run":"1000d"}                      | run
            {"policies":{"gates":{"a":{"limits":["speed 3"]}}}} | policies
            {"colour":1}                         | unknown field
            """)
    void aWrongQuestionIsRefused(String body, String told) throws IOException {
        Answer answer = rig.post("/v1/simulate", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).get("detail").asString()).contains(told);
    }

    @Test
    void aJournalIsVerifiedAndItsCertificateIsGoneOnFrom() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.limits("window 5/1h; journal 7d"));
        rig.headgate.policies().gate("bare", gate -> gate.limits("concurrency 1"));
        for (int i = 0; i < 3; i++) {
            assertThat(rig.headgate.limiter(GateKey.gate("api")).tryAcquire()).isInstanceOf(Permit.class);
        }
        JsonNode first = json(rig.post("/v1/verify-history", "{}"));
        assertThat(first.get("good").asBoolean()).as(first.toString()).isTrue();
        assertThat(first.get("notCertified").get(0).asString()).isEqualTo("gate bare");
        assertThat(first.get("gates").get(0).get("limits").get(0).get("starts").asInt())
                .isEqualTo(3);
        rig.headgate.limiter(GateKey.gate("api")).tryAcquire();
        String since = first.get("certificate").toString();
        JsonNode second = json(rig.post("/v1/verify-history", "{\"gates\":[\"api\"],\"since\":%s}".formatted(since)));
        assertThat(second.get("good").asBoolean()).as(second.toString()).isTrue();
        assertThat(second.get("gates").get(0).get("sinceRow").asInt()).isPositive();
        String forged = since.replaceAll("\"head\":\"[0-9a-f]{4}", "\"head\":\"0000");
        JsonNode third = json(rig.post("/v1/verify-history", "{\"since\":%s}".formatted(forged)));
        assertThat(third.get("good").asBoolean()).isFalse();
        assertThat(third.get("certificate").isNull()).isTrue();
        assertThat(problem(rig.post("/v1/verify-history", "{\"since\":{\"form\":\"x\"}}")))
                .isEqualTo("bad-field");
        assertThat(problem(rig.post("/v1/verify-history", "{\"gates\":[\"bare\"],\"since\":%s}".formatted(since))))
                .isEqualTo("bad-field");
        assertThat(problem(rig.post(
                        "/v1/verify-history", "{\"from\":\"2100-01-01T00:00:00Z\",\"to\":\"2001-01-01T00:00:00Z\"}")))
                .isEqualTo("bad-field");
        JsonNode none = json(rig.post("/v1/verify-history", "{\"gates\":[\"bare\"]}"));
        assertThat(none.get("good").asBoolean()).isFalse();
    }
}
