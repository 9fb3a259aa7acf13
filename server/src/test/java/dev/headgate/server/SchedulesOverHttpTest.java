package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.schedule.Schedule;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Schedules over HTTP. */
class SchedulesOverHttpTest {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final String NIGHTLY =
            "{\"cron\":\"0 3 1 1 *\",\"zone\":\"Europe/Berlin\",\"job\":{\"type\":\"report\",\"queue\":\"mail\",\"payload\":{\"a\": 1}}}";

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

    private Answer put(String name, String body) throws IOException {
        return rig.send("PUT", "/v1/schedules/" + name, rig.admin, body, JSON);
    }

    private Answer act(String path) throws IOException {
        return rig.send("POST", path, rig.admin, "", Map.of());
    }

    @Test
    void aScheduleIsPutEditedPausedResumedAndRemoved() throws IOException {
        Answer made = put("nightly", NIGHTLY);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(json(made).get("timing").asString()).isEqualTo("cron 0 3 1 1 * in Europe/Berlin");
        assertThat(made.body()).contains("\"payload\":{\"a\": 1}");
        assertThat(json(put("nightly", NIGHTLY)).get("answer").asString()).isEqualTo("unchanged");
        Answer edited = rig.send(
                "PATCH",
                "/v1/schedules/nightly",
                rig.admin,
                "{\"overlap\":\"skip\",\"job\":{\"priority\":5,\"payload\":{\"a\":2}}}",
                JSON);
        assertThat(json(edited).get("answer").asString()).isEqualTo("changed");
        assertThat(json(edited).get("overlap").asString()).isEqualTo("skip");
        assertThat(json(edited).get("priority").asInt()).isEqualTo(5);
        assertThat(json(edited).get("timing").asString()).contains("Europe/Berlin");
        assertThat(act("/v1/schedules/nightly/pause").body()).contains("\"answer\":\"paused\"");
        assertThat(json(rig.get("/v1/schedules/nightly")).get("paused").asBoolean())
                .isTrue();
        assertThat(json(rig.get("/v1/schedules/nightly/next")).get("runs")).isEmpty();
        act("/v1/schedules/nightly/resume");
        JsonNode runs = json(rig.get("/v1/schedules/nightly/next?count=2")).get("runs");
        assertThat(runs).hasSize(2);
        assertThat(runs.get(0).asString()).endsWith("-01-01T02:00:00Z");
        assertThat(json(rig.get("/v1/schedules")).get("schedules")).hasSize(1);
        assertThat(rig.get("/v1/schedules").body()).doesNotContain("payload");
        assertThat(rig.send("DELETE", "/v1/schedules/nightly", rig.admin, "", Map.of())
                        .status())
                .isEqualTo(200);
        assertThat(problem(rig.get("/v1/schedules/nightly"))).isEqualTo("not-found");
        assertThat(problem(act("/v1/schedules/nightly/pause"))).isEqualTo("not-found");
    }

    @Test
    void aRunIsStartedNowAlsoWhileItIsPausedAndNeverBesideOneThatIsNotToBe() throws IOException {
        put("nightly", NIGHTLY.replace("\"job\"", "\"overlap\":\"skip\",\"job\""));
        act("/v1/schedules/nightly/pause");
        String next = json(rig.get("/v1/schedules/nightly")).get("nextAt").toString();
        Answer fired = act("/v1/schedules/nightly/fire");
        assertThat(fired.status()).as(fired.body()).isEqualTo(201);
        JobId job = JobId.of(json(fired).get("job").asLong());
        assertThat(rig.headgate.status(job).spec().payload()).isEqualTo("{\"a\": 1}");
        assertThat(fired.header("location")).isEqualTo("v1/jobs/" + job);
        assertThat(problem(act("/v1/schedules/nightly/fire"))).isEqualTo("wrong-state");
        rig.headgate.cancel(job);
        assertThat(act("/v1/schedules/nightly/fire").status()).isEqualTo(201);
        JsonNode shown = json(rig.get("/v1/schedules/nightly?runs=1"));
        assertThat(shown.get("runs")).hasSize(1);
        assertThat(shown.get("nextAt").toString()).isEqualTo(next);
        assertThat(rig.headgate.list(JobFilter.all())).hasSize(2);
    }

    @Test
    void theInstantsOfATimingAreToldBeforeItIsStored() throws IOException {
        Answer plan =
                rig.post("/v1/schedules/next", "{\"every\":\"1h\",\"from\":\"2100-01-01T00:30:00Z\",\"count\":3}");
        assertThat(json(plan).get("runs").get(2).asString()).isEqualTo("2100-01-01T02:30:00Z");
        assertThat(problem(rig.post("/v1/schedules/next", "{\"once\":\"2001-01-01T00:00:00Z\"}")))
                .isEqualTo("bad-field");
        assertThat(problem(rig.post("/v1/schedules/next", "{\"every\":\"1h\",\"count\":0}")))
                .isEqualTo("bad-field");
        put("next", NIGHTLY);
        assertThat(json(rig.get("/v1/schedules/next")).get("name").asString()).isEqualTo("next");
    }

    @Test
    void aTokenWithAScopeSeesAndMakesOnlySchedulesOfItsJobs() throws IOException {
        put("nightly", NIGHTLY);
        String token = rig.token(TokenRequest.named("site")
                .right(Right.READ)
                .right(Right.OPERATE)
                .queue("site:*")
                .type("crawl"));
        String own = "{\"every\":\"1h\",\"job\":{\"type\":\"crawl\",\"queue\":\"site:a\"}}";
        assertThat(rig.send("PUT", "/v1/schedules/crawl", token, own, JSON).status())
                .isEqualTo(201);
        assertThat(problem(rig.send("PUT", "/v1/schedules/nightly", token, own, JSON)))
                .isEqualTo("outside-scope");
        assertThat(problem(rig.send("PUT", "/v1/schedules/other", token, NIGHTLY, JSON)))
                .isEqualTo("outside-scope");
        assertThat(problem(rig.send("PATCH", "/v1/schedules/crawl", token, "{\"job\":{\"queue\":\"mail\"}}", JSON)))
                .isEqualTo("outside-scope");
        Answer list = rig.send("GET", "/v1/schedules", token, "", Map.of());
        assertThat(json(list).get("schedules")).hasSize(1);
        assertThat(rig.send("GET", "/v1/schedules/crawl", token, "", Map.of()).body())
                .doesNotContain("payload");
        assertThat(problem(rig.send("GET", "/v1/schedules/nightly", token, "", Map.of())))
                .isEqualTo("not-found");
        assertThat(problem(rig.send("POST", "/v1/schedules/nightly/fire", token, "", Map.of())))
                .isEqualTo("not-found");
        assertThat(rig.headgate.list(JobFilter.all())).isEmpty();
    }

    @Test
    void schedulesOfShellJobsNeedATokenThatNamesTheType() throws IOException {
        String shell = "{\"every\":\"1h\",\"job\":{\"type\":\"shell\",\"payload\":{\"command\":\"true\"}}}";
        assertThat(problem(put("sh", shell))).isEqualTo("outside-scope");
        rig.headgate
                .schedules()
                .putJson(
                        "sh",
                        Schedule.once(Instant.parse("2100-01-01T00:00:00Z")),
                        new dev.headgate.JsonJob("shell", "{\"command\":\"true\"}", job -> {}));
        assertThat(problem(rig.send(
                        "PATCH",
                        "/v1/schedules/sh",
                        rig.admin,
                        "{\"job\":{\"payload\":{\"command\":\"false\"}}}",
                        JSON)))
                .isEqualTo("outside-scope");
        assertThat(rig.headgate.schedules().status("sh").terms().job().payload())
                .isEqualTo("{\"command\":\"true\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {"job":{"type":"a"}}                                          | expected one of 'cron', 'every' and 'once', got none
            {"cron":"@daily","every":"1h","job":{"type":"a"}}             | got cron and every
            {"cron":"61 * * * *","job":{"type":"a"}}                      | field 'cron'
            {"cron":"@daily","zone":"Europe/Berlim","job":{"type":"a"}}   | field 'zone'
            {"every":"1h","zone":"UTC","job":{"type":"a"}}                | field 'zone'
            {"cron":"@daily","from":"2100-01-01T00:00:00Z","job":{"type":"a"}} | field 'from'
            {"every":"1ms","job":{"type":"a"}}                            | field 'every'
            {"every":"1h","missed":"most","job":{"type":"a"}}             | field 'missed'
            {"every":"1h"}                                                | field 'job'
            {"every":"1h","job":{"type":"a","colour":1}}                  | unknown field 'colour'
            {"every":"1h","job":{"type":"a","at":"2100-01-01T00:00:00Z"}} | at(
            {"every":"1h","job":{"type":"a"},"colour":1}                  | unknown field 'colour'
            {"once":"soon","job":{"type":"a"}}                            | field 'once'
            """)
    void aWrongScheduleIsRefusedAndNothingIsStored(String body, String told) throws IOException {
        Answer answer = put("s", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(rig.headgate.schedules().list()).isEmpty();
    }
}
