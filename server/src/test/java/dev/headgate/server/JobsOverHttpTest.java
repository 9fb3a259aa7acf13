package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.BacklogCap;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class JobsOverHttpTest {
    private static final Map<String, String> LINES = Map.of("Content-Type", "application/x-ndjson");

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

    private int jobs() {
        return rig.headgate.list(JobFilter.all().limit(1000)).size();
    }

    @Test
    void aJobComesInAsItWasSentAndCanBeRead() throws IOException {
        String payload = "{ \"to\" : \"Zo\u00eb\", \"n\":1.00, \"list\":[ ] }";
        Answer made = rig.post("/v1/jobs", """
                {"type":"send","payload":%s,"queue":"mail","gates":["api","tenant:a"],"cost":5,"priority":3,"dedup":"k1",
                 "attempts":4,"timeout":"30s","retry":"fixed 5s"}
                """.formatted(payload));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        JobId id = JobId.of(json(made).get("id").asLong());
        assertThat(made.header("location")).isEqualTo("v1/jobs/" + id);
        assertThat(rig.headgate.status(id).spec().payload()).isEqualTo(payload);
        Answer read = rig.get("/v1/jobs/" + id);
        assertThat(read.body()).contains("\"payload\":" + payload);
        JsonNode job = json(read);
        assertThat(job.get("gates")).hasToString("[\"api\",\"tenant:a\"]");
        assertThat(job.get("cost").asInt()).isEqualTo(5);
        assertThat(job.get("attemptsMax").asInt()).isEqualTo(4);
        assertThat(job.get("timeoutMs").asInt()).isEqualTo(30_000);
        Answer again = rig.post("/v1/jobs", "{\"type\":\"send\",\"dedup\":\"k1\"}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo("{\"id\":%s,\"new\":false}".formatted(id));
    }

    @Test
    void payloadsAreSeenOnlyWithTheRight() throws IOException {
        JobId id = rig.headgate.enqueueJson("send", "{\"a\":1}", job -> {}).id();
        Answer read = rig.send("GET", "/v1/jobs/" + id, rig.token(Right.READ), "", Map.of());
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body()).doesNotContain("payload", "result");
        assertThat(rig.get("/v1/jobs").body()).doesNotContain("payload");
    }

    @Test
    void aListGoesOnByItsCursorAndOnlyByItsOwn() throws IOException {
        for (int i = 0; i < 5; i++) {
            rig.headgate.enqueueJson("send", "{}", job -> job.queue("mail"));
        }
        JsonNode first = json(rig.get("/v1/jobs?queue=mail&limit=3"));
        assertThat(first.get("jobs")).hasSize(3);
        String cursor = first.get("next").asString();
        JsonNode second = json(rig.get("/v1/jobs?queue=mail&limit=3&cursor=" + cursor));
        assertThat(second.get("jobs")).hasSize(2);
        assertThat(second.get("jobs").get(0).get("id").asLong())
                .isEqualTo(first.get("jobs").get(2).get("id").asLong() - 1);
        assertThat(problem(rig.get("/v1/jobs?queue=other&cursor=" + cursor))).isEqualTo("bad-cursor");
        assertThat(problem(rig.get("/v1/jobs?cursor=" + cursor))).isEqualTo("bad-cursor");
        assertThat(problem(rig.get("/v1/jobs?queue=mail&cursor=abc"))).isEqualTo("bad-cursor");
    }

    @Test
    void aJobIsExplainedCancelledRetriedMovedAndDeleted() throws IOException {
        JobId id = rig.headgate
                .enqueueJson("send", "{}", job -> job.queue("mail").gate("api"))
                .id();
        String path = "/v1/jobs/" + id;
        assertThat(json(rig.get(path + "/explain")).get("summary").asString()).contains("no worker");
        assertThat(json(rig.get(path + "/attempts")).get("attempts")).isEmpty();
        assertThat(json(rig.get(path + "/log")).get("log")).isEmpty();
        assertThat(json(rig.get(path + "/dependencies")).get("after")).isEmpty();
        assertThat(rig.post(path + "/priority", "{\"priority\":7}").status()).isEqualTo(200);
        assertThat(rig.headgate.status(id).spec().order().priority()).isEqualTo(7);
        assertThat(rig.post(path + "/reschedule", "{\"at\":\"2100-01-01T00:00:00Z\"}")
                        .status())
                .isEqualTo(200);
        assertThat(rig.headgate.status(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(rig.post(path + "/reschedule", "{\"at\":null}").status()).isEqualTo(200);
        assertThat(rig.headgate.status(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(rig.send("POST", path + "/cancel", rig.admin, "", Map.of()).body())
                .isEqualTo("{\"id\":%s,\"answer\":\"done\"}".formatted(id));
        Answer twice = rig.send("POST", path + "/cancel", rig.admin, "", Map.of());
        assertThat(twice.status()).isEqualTo(409);
        assertThat(json(twice).get("detail").asString()).contains("it is cancelled");
        assertThat(rig.send("POST", path + "/retry", rig.admin, "", Map.of()).status())
                .isEqualTo(200);
        assertThat(rig.send("DELETE", path, rig.admin, "", Map.of()).status()).isEqualTo(200);
        assertThat(problem(rig.get(path))).isEqualTo("not-found");
        assertThat(problem(rig.send("DELETE", path, rig.admin, "", Map.of()))).isEqualTo("not-found");
    }

    @Test
    void thousandsOfLinesComeInEachAnsweredByItsNumber() throws IOException {
        String body = IntStream.rangeClosed(1, 2_500)
                .mapToObj(i -> "{\"type\":\"send\",\"payload\":%d,\"dedup\":\"k%d\"}\n".formatted(i, i % 2_000))
                .collect(Collectors.joining());
        Answer answer = rig.send("POST", "/v1/jobs/lines", rig.admin, body, LINES);
        List<JsonNode> lines =
                answer.body().lines().map(line -> Contract.JSON.readTree(line)).toList();
        assertThat(lines).hasSize(2_500);
        assertThat(lines)
                .extracting(line -> line.get("line").asInt())
                .isEqualTo(IntStream.rangeClosed(1, 2_500).boxed().toList());
        assertThat(lines.stream().filter(line -> line.get("new").asBoolean())).hasSize(2_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {"type":"b"} no                       | bad-json
            {"type":"b","colour":1}               | bad-field
            {"type":"b","queue":"has\\nbreak"}    | bad-field
            {"type":"b","cost":-1}                | bad-field
            [1]                                   | bad-json
            {"type":"b","type":"c"}               | bad-json
            """)
    void theFirstWrongLineEndsABodyAndThoseBeforeItAreStored(String wrong, String slug) throws IOException {
        String body = "{\"type\":\"a\"}\n\n{\"type\":\"a\"}\n%s\n{\"type\":\"a\"}\n".formatted(wrong);
        Answer answer = rig.send("POST", "/v1/jobs/lines", rig.admin, body, LINES);
        List<JsonNode> lines =
                answer.body().lines().map(line -> Contract.JSON.readTree(line)).toList();
        assertThat(lines).as(answer.body()).hasSize(3);
        assertThat(lines.get(1).get("line").asInt()).isEqualTo(3);
        assertThat(lines.get(2).get("line").asInt()).isEqualTo(4);
        assertThat(lines.get(2).get("type").asString()).isEqualTo("/problems/" + slug);
        assertThat(lines.get(2).get("remedy").asString())
                .isEqualTo(
                        "The lines before line 4 are stored, it and those behind it are not: put it right, then send it and those behind it again.");
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void aLineThatLacksARequiredGateIsNamedAndThoseBeforeItAreStored() throws IOException {
        rig.headgate.policies().gate("api", gate -> gate.maxInFlight(1)).type("a", type -> type.requires("api"));
        String body = "{\"type\":\"a\",\"gate\":\"api\"}\n".repeat(2) + "{\"type\":\"a\"}\n";
        Answer answer = rig.send("POST", "/v1/jobs/lines", rig.admin, body, LINES);
        assertThat(answer.body()).contains("\"line\":3", "its policy requires api");
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void oneLiveJobHasAContent() throws IOException {
        String body = "{\"type\":\"a\",\"payload\":{\"n\":1},\"dedupContent\":true,\"dedupFor\":\"1h\"}";
        assertThat(json(rig.post("/v1/jobs", body)).get("new").asBoolean()).isTrue();
        assertThat(json(rig.post("/v1/jobs", body)).get("new").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {                                     | bad-json  | expected JSON
            7                                     | bad-json  | expected a JSON object
            {"type":"a"}{"type":"b"}              | bad-json  | one JSON object
            {"type":"a","type":"b"}               | bad-json  | twice
            {"type":7}                            | bad-field | field 'type': expected a text, got number
            {"payload":{}}                        | bad-field | field 'type': expected a value, got none
            {"type":"a","colour":"red"}           | bad-field | unknown field 'colour'
            {"type":"a","queue":["x"]}            | bad-field | field 'queue'
            {"type":"a","gates":"x"}              | bad-field | field 'gates': expected a list of texts
            {"type":"a","cost":1.5}               | bad-field | field 'cost'
            {"type":"a","delay":"soon"}           | bad-field | field 'delay'
            {"type":"a","at":"tomorrow"}          | bad-field | field 'at'
            {"type":"a","priority":9999}          | bad-field | priority
            {"type":"a","after":[0]}              | bad-field | field 'after'
            {"type":"a","after":[4711]}           | bad-field | 4711
            {"type":"a","unmet":"shrug"}          | bad-field | field 'unmet'
            {"type":"a","dedupFor":"1s"}          | bad-field | field 'dedupFor': expected 'dedup' or 'dedupContent'
            {"type":"a","dedup":"x","dedupContent":true} | bad-field | field 'dedupContent': expected no 'dedup'
            {"type":"a","retry":"often"}          | bad-field | field 'retry'
            """)
    void aWrongJobIsRefusedWithTheNameOfItsFieldAndNothingIsStored(String body, String slug, String told)
            throws IOException {
        Answer answer = rig.post("/v1/jobs", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo(slug);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(jobs()).isZero();
    }

    @Test
    void aBodyIsBoundedInSizeDepthAndKind() throws IOException {
        String deep = "{\"type\":\"a\",\"payload\":" + "[".repeat(300) + "]".repeat(300) + "}";
        assertThat(problem(rig.post("/v1/jobs", deep))).isEqualTo("bad-json");
        String large = "{\"type\":\"a\",\"payload\":\"" + "x".repeat(1024 * 1024) + "\"}";
        assertThat(problem(rig.post("/v1/jobs", large))).isEqualTo("too-large");
        String tooLargeToStore = "{\"type\":\"a\",\"payload\":\"" + "x".repeat(300 * 1024) + "\"}";
        assertThat(problem(rig.post("/v1/jobs", tooLargeToStore))).isEqualTo("bad-field");
        assertThat(problem(rig.send(
                        "POST", "/v1/jobs", rig.admin, "{\"type\":\"a\"}", Map.of("Content-Type", "text/plain"))))
                .isEqualTo("wrong-media-type");
        assertThat(problem(rig.send("POST", "/v1/jobs", rig.admin, "{\"type\":\"a\"}", Map.of())))
                .isEqualTo("wrong-media-type");
        assertThat(jobs()).isZero();
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() throws IOException {
        byte[] head =
                "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"type\":\"a\"   "
                        .formatted(rig.admin)
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] all = java.util.Arrays.copyOf(head, head.length + 2);
        all[head.length] = (byte) 0xC3;
        all[head.length + 1] = (byte) 0x28;
        Answer answer = rig.raw.send(all);
        assertThat(problem(answer)).isEqualTo("bad-json");
        assertThat(answer.body()).contains("UTF-8");
    }

    @Test
    void questionsAreReadStrictly() throws IOException {
        assertThat(problem(rig.get("/v1/jobs?colour=red"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs?limit=1001"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs?limit=1&limit=2"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs?state=sleepy"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs?gate=a&waiting=b"))).isEqualTo("bad-query");
        assertThat(json(rig.get("/v1/jobs?waiting=b")).get("jobs")).isEmpty();
        assertThat(problem(rig.get("/v1/jobs?queue=%zz"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs?queue=%C3"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/jobs/0"))).isEqualTo("not-found");
        assertThat(problem(rig.get("/v1/jobs/abc"))).isEqualTo("not-found");
    }

    @Test
    void aFullBacklogIsAProblemThatSaysWhenToTryAgain() throws IOException {
        rig.headgate.policies().queue("mail", queue -> queue.backlog(BacklogCap.reject(1)));
        rig.post("/v1/jobs", "{\"type\":\"a\",\"queue\":\"mail\"}");
        Answer full = rig.post("/v1/jobs", "{\"type\":\"a\",\"queue\":\"mail\"}");
        assertThat(problem(full)).isEqualTo("backlog-full");
        assertThat(full.header("retry-after")).isEqualTo("1");
        Answer lines = rig.send("POST", "/v1/jobs/lines", rig.admin, "{\"type\":\"a\",\"queue\":\"mail\"}\n", LINES);
        assertThat(lines.body()).contains("backlog-full", "\"line\":1");
    }
}
