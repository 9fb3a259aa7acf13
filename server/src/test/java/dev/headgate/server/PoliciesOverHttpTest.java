package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.server.RawHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies over HTTP: read, changed for the version that was read, taken back. */
class PoliciesOverHttpTest {
    private static final String FILE = """
            queues:
              mail: { limits: [concurrency 20] }
            gates:
              "tenant:*": { limits: [concurrency 3], back-off: 2s x3 max 5m }
            types:
              ask: { requires: ["tenant:*"] }
            """;

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

    private Answer change(String method, String path, String body, String kind, @Nullable String ifMatch)
            throws IOException {
        Map<String, String> headers = new TreeMap<>();
        if (!body.isEmpty()) {
            headers.put("Content-Type", kind);
        }
        if (ifMatch != null) {
            headers.put("If-Match", ifMatch);
        }
        return rig.send(method, path, rig.admin, body, headers);
    }

    private Answer put(String path, String json, @Nullable String ifMatch) throws IOException {
        return change("PUT", path, json, "application/json", ifMatch);
    }

    private String stored(GateKey key) {
        return rig.headgate.policies().all().getOrDefault(key, GatePolicy.OPEN).text();
    }

    @Test
    void aFileIsAppliedAsOneVersionByTheTokenAndComesBackTheSame() throws IOException {
        Answer applied = change("PUT", "/v1/policies/file?reason=ticket+7", FILE, "application/yaml", "\"0\"");
        assertThat(applied.status()).as(applied.body()).isEqualTo(200);
        assertThat(applied.header("etag")).isEqualTo("\"1\"");
        assertThat(json(applied).get("applied").asBoolean()).isTrue();
        assertThat(json(applied).get("changes")).hasSize(3);
        PolicyVersion version = rig.headgate.policies().history(1).getFirst();
        assertThat(version.author()).startsWith("admin (token ");
        assertThat(version.reason()).isEqualTo("ticket 7");
        Answer file = rig.get("/v1/policies/file");
        assertThat(file.header("content-type")).startsWith("application/yaml");
        Answer again = change("PUT", "/v1/policies/file", file.body(), "application/yaml", "\"1\"");
        assertThat(json(again).get("applied").asBoolean()).isFalse();
        Answer same = change("POST", "/v1/policies/diff", file.body(), "application/yaml", null);
        assertThat(json(same).get("changes")).isEmpty();
    }

    @Test
    void theSameFileMayBeJsonWithLettersAsEscapes() throws IOException {
        String file =
                "{\"gates\":{\"site:\\u00fc\\ud83d\\ude00\":{\"limits\":[\"concurrency 3\",\"shadow rate 1\\/1s\"]}}}";
        assertThat(put("/v1/policies/file", file, "*").status()).isEqualTo(200);
        assertThat(stored(GateKey.gate("site:\u00fc\ud83d\ude00")))
                .isEqualTo("concurrency 3; shadow rate 1/1s burst 1");
        Answer pruned = put("/v1/policies/file?prune=true", "{\"gates\":{}}", "*");
        assertThat(json(pruned).get("changes")).hasSize(1);
        assertThat(rig.headgate.policies().all()).isEmpty();
    }

    @Test
    void aChangeNamesTheVersionThatItWasMadeFor() throws IOException {
        String gate = "/v1/policies/gate/api";
        assertThat(problem(put(gate, "{\"limits\":[\"concurrency 1\"]}", null))).isEqualTo("version-needed");
        Answer first = put(gate, "{\"limits\":[\"concurrency 1\"]}", "\"0\"");
        assertThat(first.header("etag")).isEqualTo("\"1\"");
        Answer stale = put(gate, "{\"limits\":[\"concurrency 2\"]}", "\"0\"");
        assertThat(problem(stale)).isEqualTo("stale-version");
        assertThat(stale.header("etag")).isEqualTo("\"1\"");
        assertThat(problem(put(gate, "{\"limits\":[\"concurrency 1\"]}", "\"0\"")))
                .isEqualTo("stale-version");
        for (String tag : new String[] {"W/\"1\"", "1", "\"x\"", "\"1\", \"2\""}) {
            assertThat(problem(put(gate, "{\"limits\":[\"concurrency 2\"]}", tag)))
                    .as(tag)
                    .isEqualTo("stale-version");
        }
        assertThat(problem(change("DELETE", gate, "", "", "\"0\""))).isEqualTo("stale-version");
        assertThat(problem(change("DELETE", gate, "", "", null))).isEqualTo("version-needed");
        assertThat(problem(change("POST", "/v1/policies/undo", "", "", "\"0\"")))
                .isEqualTo("stale-version");
        assertThat(problem(change("PUT", "/v1/policies/file", FILE, "application/yaml", "\"0\"")))
                .isEqualTo("stale-version");
        assertThat(stored(GateKey.gate("api"))).isEqualTo("concurrency 1");
        assertThat(rig.headgate.policies().version()).isEqualTo(1);
    }

    @Test
    void ofManyThatChangeTheSameVersionOneSucceeds() throws Exception {
        int clients = 8;
        CyclicBarrier together = new CyclicBarrier(clients);
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 1; i <= clients; i++) {
            String body = "{\"limits\":[\"concurrency %d\"]}".formatted(i);
            calls.add(() -> {
                together.await();
                return put("/v1/policies/gate/api", body, "\"0\"").status();
            });
        }
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (Future<Integer> each : threads.invokeAll(calls)) {
                statuses.add(each.get());
            }
        }
        assertThat(statuses).containsOnlyOnce(200).contains(412).doesNotContain(500);
        assertThat(rig.headgate.policies().version()).isEqualTo(1);
    }

    @Test
    void anOverrideEndsByItselfOrByHand() throws IOException {
        String gate = "/v1/policies/gate/api";
        put(gate, "{\"limits\":[\"concurrency 8\"]}", "*");
        Answer set = put(gate, "{\"limits\":[\"concurrency 1\"],\"for\":\"2h\",\"reason\":\"provider limps\"}", "*");
        assertThat(json(set).get("override").get("limits").get(0).asString()).isEqualTo("concurrency 1");
        assertThat(json(rig.get("/v1/gates/api")).get("text").asString()).isEqualTo("concurrency 1");
        assertThat(json(rig.get("/v1/gates/api")).get("overrideUntil").isNull()).isFalse();
        Answer ended = change("DELETE", gate + "/override?reason=over", "", "", "\"2\"");
        assertThat(json(ended).get("limits").get(0).asString()).isEqualTo("concurrency 8");
        assertThat(problem(change("DELETE", gate + "/override", "", "", "*"))).isEqualTo("not-found");
        assertThat(put(gate, "{\"until\":\"2100-01-01T00:00:00Z\"}", "*").status())
                .isEqualTo(200);
        assertThat(json(rig.get("/v1/gates/api")).get("text").asString()).isEmpty();
    }

    @Test
    void aPolicyIsReadDeletedAndBroughtBack() throws IOException {
        put("/v1/policies/gate/tenant:*", "{\"limits\":[\"concurrency 3\"]}", "*");
        put("/v1/policies/gate/tenant:a", "{\"limits\":[\"concurrency 5\"]}", "*");
        Answer deleted = change("DELETE", "/v1/policies/gate/tenant:a?reason=gone", "", "", "\"2\"");
        assertThat(json(deleted).get("policy").asString()).isEqualTo("tenant:*");
        assertThat(problem(rig.get("/v1/policies/gate/tenant:a"))).isEqualTo("not-found");
        assertThat(rig.get("/v1/policies/gate/tenant:b").body()).contains("did you mean 'tenant:*'?");
        assertThat(problem(rig.get("/v1/policies/lane/a"))).isEqualTo("not-found");
        Answer undone = change("POST", "/v1/policies/undo", "{\"reason\":\"too early\"}", "application/json", "\"3\"");
        assertThat(json(undone).get("changes").get(0).get("change").asString()).isEqualTo("undo");
        assertThat(stored(GateKey.gate("tenant:a"))).isEqualTo("concurrency 5");
        change("POST", "/v1/policies/undo", "{\"to\":0}", "application/json", "*");
        assertThat(rig.headgate.policies().all()).isEmpty();
        assertThat(problem(change("POST", "/v1/policies/undo", "{\"to\":99}", "application/json", "*")))
                .isEqualTo("bad-field");
        var history = json(rig.get("/v1/policies/history?limit=3"));
        assertThat(history.get("versions")).hasSize(3);
        String next = history.get("next").asString();
        assertThat(json(rig.get("/v1/policies/history?limit=3&cursor=" + next)).get("versions"))
                .hasSize(2);
        assertThat(json(rig.get("/v1/policies")).get("policies")).isEmpty();
    }

    @Test
    void aDeclarationAndASuggestionLeaveWhatIsStored() throws IOException {
        String gate = "/v1/policies/gate/api";
        assertThat(put(gate, "{\"limits\":[\"concurrency 1\"],\"mode\":\"declare\"}", null)
                        .status())
                .isEqualTo(200);
        assertThat(problem(put(gate, "{\"limits\":[\"concurrency 2\"],\"mode\":\"declare\"}", null)))
                .isEqualTo("wrong-state");
        assertThat(put(gate, "{\"limits\":[\"concurrency 2\"],\"mode\":\"suggest\"}", null)
                        .status())
                .isEqualTo(200);
        assertThat(stored(GateKey.gate("api"))).isEqualTo("concurrency 1");
        assertThat(put("/v1/policies/type/ask", "{\"limits\":[\"requires api\"]}", "*")
                        .status())
                .isEqualTo(200);
        assertThat(rig.headgate.policies().ofType("ask").requires()).containsExactly("api");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {}                                                              | expected at least one
            {"limits":[]}                                                   | expected at least one
            {"limits":"concurrency 1"}                                      | a list of texts
            {"limits":["concurency 1"]}                                     | did you mean 'concurrency'?
            {"limits":["concurrency 0"]}                                    | field 'limits'
            {"limits":["concurrency 1"],"for":"-1s"}                        | field 'for'
            {"limits":["concurrency 1"],"for":"1s","until":"2100-01-01T00:00:00Z"} | got more than one
            {"limits":["concurrency 1"],"until":"2001-01-01T00:00:00Z"}     | in the future
            {"limits":["journal 7d"],"for":"1h"}                            | override
            {"limits":["concurrency 1"],"mode":"maybe"}                     | field 'mode'
            {"limits":["requires x"]}                                       | job type
            {"limits":["retention 3d"]}                                     | expected the name of one queue
            {"limits":["concurrency 1"],"colour":1}                         | unknown field 'colour'
            """)
    void aWrongPolicyIsRefusedAndNothingIsStored(String body, String told) throws IOException {
        Answer answer = put("/v1/policies/gate/api", body, "*");
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(rig.headgate.policies().version()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            gates: { api: { limits: [concurency 3] } }         | application/yaml | line 1, column 26
            gates: { api: &a { limits: [concurrency 3] } }     | application/yaml | no anchors
            colour: red                                        | application/yaml | unknown key 'colour'
            {"gates":{"api":{"limits":[3]}}}                   | application/json | limit
            {"gates":{"api":{"limits":["concurrency 3"]},"api":{}}} | application/json | twice
            {"gates":                                          | application/json | expected JSON
            [1]                                                | application/json | expected a JSON object
            gates: {}                                          | text/plain       | application/yaml or application/json
            """)
    void aWrongFileIsRefusedWithItsPlaceAndNothingIsStored(String body, String kind, String told) throws IOException {
        Answer answer = change("PUT", "/v1/policies/file", body, kind, "*");
        assertThat(answer.status()).as(answer.body()).isIn(400, 415);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(rig.headgate.policies().version()).isZero();
    }
}
