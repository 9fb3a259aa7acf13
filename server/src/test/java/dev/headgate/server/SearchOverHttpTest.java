package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Labels, headers, and every filter of a list of jobs. */
class SearchOverHttpTest {
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

    private JobId made(String json) throws IOException {
        Answer answer = rig.post("/v1/jobs", json);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        return JobId.of(json(answer).get("id").asLong());
    }

    private List<JobId> found(String query) throws IOException {
        Answer answer = rig.get("/v1/jobs?" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        List<JobId> ids = new ArrayList<>();
        json(answer).get("jobs").forEach(job -> ids.add(JobId.of(job.get("id").asLong())));
        return ids;
    }

    @Test
    void labelsAndHeadersComeInAndAreSeen() throws IOException {
        JobId id = made("""
                {"type":"send","labels":{"team":"mail","tenant":"Zoë & co"},"headers":{"TraceParent":"00-ab","X-Secret":"s3cret"},
                 "children":[{"type":"child","labels":{"team":"ads"}}]}""");
        JsonNode whole = json(rig.get("/v1/jobs/" + id));
        assertThat(whole.get("labels")).hasToString("{\"team\":\"mail\",\"tenant\":\"Zoë & co\"}");
        assertThat(whole.get("headers")).hasToString("{\"traceparent\":\"00-ab\",\"x-secret\":\"s3cret\"}");
        Answer read = rig.send("GET", "/v1/jobs/" + id, rig.token(Right.READ), "", Map.of());
        assertThat(json(read).get("headers")).hasToString("{\"traceparent\":\"00-ab\",\"x-secret\":\"(hidden)\"}");
        assertThat(rig.get("/v1/jobs").body()).contains("00-ab").doesNotContain("s3cret");
        assertThat(found("label=team%3Dads")).hasSize(1).doesNotContain(id);
        assertThat(found("label=tenant=Zo%C3%AB+%26+co")).hasSize(2).contains(id);
        assertThat(found("label=tenant=Zo%C3%AB+%26+co&label=team=mail")).containsExactly(id);
        assertThat(rig.headgate.status(id).headers()).containsEntry("traceparent", "00-ab");
    }

    @Test
    void jobsAreFoundByEveryFilter() throws IOException {
        JobId plain = made("{\"type\":\"send\",\"payload\":{\"customer\":{\"id\":42}}}");
        JobId mail = made("{\"type\":\"post\",\"queue\":\"mail\",\"gates\":[\"api\"],\"labels\":{\"team\":\"mail\"}}");
        rig.headgate.cancel(plain);
        assertThat(found("queue=mail")).containsExactly(mail);
        assertThat(found("type=send")).containsExactly(plain);
        assertThat(found("state=cancelled")).containsExactly(plain);
        assertThat(found("gate=api")).containsExactly(mail);
        assertThat(found("holding=api")).isEmpty();
        assertThat(found("waiting=api")).isEmpty();
        assertThat(found("label=team=mail&queue=mail")).containsExactly(mail);
        assertThat(found("worker=none")).isEmpty();
        assertThat(found("enqueued=2020-01-01T00:00:00Z..")).containsExactly(mail, plain);
        assertThat(found("enqueued=..2020-01-01T00:00:00Z")).isEmpty();
        assertThat(found("ended=2020-01-01T00:00:00Z..2100-01-01T00:00:00Z")).containsExactly(plain);
        assertThat(found("started=2020-01-01T00:00:00Z..")).isEmpty();
        assertThat(found("error=cancelled")).isSubsetOf(plain);
        assertThat(found("payload=customer.id=42")).containsExactly(plain);
        assertThat(found("payload=customer.id=43")).isEmpty();
    }

    @Test
    void aCursorBelongsToTheWholeFilter() throws IOException {
        for (int i = 0; i < 3; i++) {
            made("{\"type\":\"send\",\"labels\":{\"team\":\"mail\",\"n\":\"1\"}}");
        }
        JsonNode page = json(rig.get("/v1/jobs?label=team=mail&label=n=1&limit=2"));
        assertThat(page.get("jobs")).hasSize(2);
        String cursor = page.get("next").asString();
        assertThat(found("label=n=1&label=team=mail&limit=2&cursor=" + cursor)).hasSize(1);
        assertThat(problem(rig.get("/v1/jobs?label=team=mail&cursor=" + cursor)))
                .isEqualTo("bad-cursor");
        assertThat(problem(rig.get("/v1/jobs?label=team=mail&label=n=1&worker=w&cursor=" + cursor)))
                .isEqualTo("bad-cursor");
        assertThat(problem(rig.get("/v1/jobs?label=team=mail&label=n=1&payload=a=1&cursor=" + cursor)))
                .isEqualTo("bad-cursor");
    }

    /** Otherwise a token without the right to see payloads could guess them, value by value. */
    @Test
    void payloadsAreSearchedOnlyWithTheRightToSeeThem() throws IOException {
        Answer refused = rig.send("GET", "/v1/jobs?payload=a=1", rig.token(Right.READ), "", Map.of());
        assertThat(problem(refused)).isEqualTo("missing-right");
        assertThat(json(refused).get("detail").asString()).contains("'payloads'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "label=mail | parameter 'label': expected NAME=VALUE, such as team=mail, got 'mail'",
                "label=a+b=1 | parameter 'label': label: expected a name of 1 to 63 letters",
                "label=team= | parameter 'label': label 'team': expected a value of 1 to 200 characters, got 0",
                "ended=2030-01-31 | parameter 'ended': expected FROM..TO",
                "ended=..yesterday | parameter 'ended': expected an instant such as 2030-01-31T09:00:00Z, got 'yesterday'",
                "enqueued=2030-01-02T00:00:00Z..2030-01-01T00:00:00Z | parameter 'enqueued': time range: expected its beginning before its end",
                "payload=n | parameter 'payload': expected NAME=VALUE",
                "payload=a..b=1 | parameter 'payload': payload field: expected a name",
                "state=lost | parameter 'state': expected awaiting, scheduled",
                "gate=a&waiting=a | expected one of gate, holding and waiting, got gate and waiting",
                "queue=a&queue=b | parameter 'queue': expected once, got twice",
                "tag=a | unknown parameter 'tag'; expected"
            })
    void aWrongFilterIsAProblemThatSaysWhatWasExpected(String query, String detail) throws IOException {
        Answer answer = rig.get("/v1/jobs?" + query);
        assertThat(problem(answer)).isEqualTo("bad-query");
        assertThat(json(answer).get("detail").asString()).contains(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"labels\":[\"a\"] | field 'labels': expected an object of texts, got array",
                "\"labels\":{\"a\":1} | field 'labels': expected an object of texts, got number",
                "\"labels\":{\"a b\":\"1\"} | label: expected a name of 1 to 63 letters",
                "\"headers\":{\"x-token\":\"\"} | header 'x-token': expected a value of 1 to 1000 characters, got 0",
            })
    void wrongLabelsAreAProblemAndNothingIsStored(String field, String detail) throws IOException {
        Answer answer = rig.post("/v1/jobs", "{\"type\":\"send\",%s}".formatted(field));
        assertThat(problem(answer)).isEqualTo("bad-field");
        assertThat(json(answer).get("detail").asString()).contains(detail);
        assertThat(found("limit=1")).isEmpty();
    }
}
