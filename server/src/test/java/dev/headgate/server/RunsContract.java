package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.machine.Machine;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Workflows, machines and their runs over HTTP. */
abstract class RunsContract {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    record Refund(String order, List<Integer> parcels) {}

    private static final Workflow<Refund, Refund> REFUND = Workflow.named("refund", 1, Refund.class)
            .then("check", (refund, step) -> {
                step.artifact("report.md", "order %s\nchecked <b>".formatted(refund.order()));
                return refund;
            })
            .forEach("parcel", Refund::parcels, Integer.class, Integer.class, (parcel, step) -> {
                if (parcel == 13) {
                    throw new PermanentFailure("parcel 13 is lost");
                }
                return parcel;
            })
            .ignoringResults()
            .awaitApproval("boss")
            .then("pay", (refund, step) -> refund, s -> s.cost(5))
            .queue("refunds")
            .build();

    private static final Workflow<Integer, Integer> OTHER = Workflow.named("other", 2, Integer.class)
            .then("only", (number, step) -> number)
            .queue("others")
            .build();

    private static final Machine<Refund> ORDER = Machine.named("order", 1, Refund.class)
            .state("new", s -> s.on("pay").goTo("paid"))
            .finalState("paid")
            .initial("new")
            .queue("refunds")
            .build();

    private ServerRig rig;

    abstract String freshStore();

    @BeforeEach
    void start() {
        rig = new ServerRig(freshStore(), "");
        rig.headgate.workflows().register(REFUND).register(OTHER);
        rig.headgate.machines().register(ORDER);
        rig.headgate.worker("refunds").slots(4).start();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Answer act(long run, String act, String body) throws IOException {
        return rig.post("/v1/runs/%d/%s".formatted(run, act), body);
    }

    private long begun(String parcels, String more) throws IOException {
        Answer made = rig.post(
                "/v1/workflows/refund/runs",
                "{\"input\":{\"order\":\"o-7\",\"parcels\":%s}%s}".formatted(parcels, more));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(made.header("location")).isEqualTo("v1/runs/" + json(made).get("id"));
        return json(made).get("id").asLong();
    }

    private void awaitState(long run, RunState state) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (rig.headgate.workflows().status(RunId.of(run)).state() != state) {
            assertThat(System.nanoTime())
                    .as("%s, not %s", rig.headgate.workflows().status(RunId.of(run)), state)
                    .isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private JsonNode run(long id) throws IOException {
        return json(rig.get("/v1/runs/" + id));
    }

    @Test
    void aRunIsStartedSeenApprovedToppedUpAndEnds() throws IOException {
        long id = begun(
                "[1,2,3]", ",\"key\":\"o-7\",\"priority\":3,\"budget\":{\"maxCostUnits\":6,\"maxWallTime\":\"1h\"}");
        Answer again =
                rig.post("/v1/workflows/refund@1/runs", "{\"input\":{\"order\":\"x\",\"parcels\":[]},\"key\":\"o-7\"}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(json(again).get("new").asBoolean()).isFalse();
        assertThat(json(again).get("id").asLong()).isEqualTo(id);
        awaitState(id, RunState.AWAITING);
        assertThat(run(id).get("awaits").asString()).isEqualTo("boss");
        assertThat(run(id).at("/data/order").asString()).isEqualTo("o-7");
        Answer approved = rig.send("POST", "/v1/runs/%d/approve".formatted(id), rig.admin, "", Map.of());
        assertThat(approved.body())
                .isEqualTo("{\"id\":%d,\"approval\":\"boss\",\"choice\":\"approved\",\"by\":\"admin\"}".formatted(id));
        awaitState(id, RunState.BUDGET_EXCEEDED);
        assertThat(run(id).get("stoppedBy").get(0).asString()).isEqualTo("maxCostUnits");
        JsonNode raised =
                json(act(id, "top-up", "{\"by\":{\"maxCostUnits\":100},\"resume\":true,\"reason\":\"worth it\"}"));
        assertThat(raised.at("/budget/0/limit").asInt()).isEqualTo(106);
        assertThat(raised.get("resumed").asBoolean()).isTrue();
        awaitState(id, RunState.SUCCEEDED);
        assertThat(rig.get("/v1/runs/%d/timeline".formatted(id)).body())
                .contains("by token 'admin': worth it", "\"kind\":\"succeeded\"");
    }

    @Test
    void theTreeAndTheTimelineGoOnByTheirCursors() throws IOException {
        long id = begun("[1,2,3,4,5]", "");
        awaitState(id, RunState.AWAITING);
        for (String list : List.of("tree", "timeline")) {
            String field = list.equals("tree") ? "parts" : "events";
            String path = "/v1/runs/%d/%s".formatted(id, list);
            JsonNode whole = json(rig.get(path));
            assertThat(whole.get("next").isNull()).isTrue();
            List<String> found = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page = json(rig.get(path + "?limit=2" + cursor));
                assertThat(page.get(field).size()).isBetween(1, 2);
                page.get(field).forEach(each -> found.add(named(each)));
                cursor = page.get("next").isNull()
                        ? ""
                        : "&cursor=" + page.get("next").asString();
            } while (!cursor.isEmpty());
            List<String> all = new ArrayList<>();
            whole.get(field).forEach(each -> all.add(named(each)));
            assertThat(found).isEqualTo(all).hasSizeGreaterThan(4);
            assertThat(problem(rig.get(path + "?cursor=abc"))).isEqualTo("bad-cursor");
        }
        JsonNode parts = json(rig.get("/v1/runs/%d/tree".formatted(id))).get("parts");
        assertThat(parts).hasSize(6);
        assertThat(parts.get(1).get("parent").asLong()).isEqualTo(id);
        assertThat(parts.get(1).get("name").asString()).isEqualTo("parcel");
        assertThat(run(parts.get(1).get("id").asLong()).get("state").asString()).isEqualTo("succeeded");
    }

    private static String named(JsonNode each) {
        return each.has("part")
                ? "%s %s".formatted(each.get("part"), each.get("number"))
                : each.get("id").toString();
    }

    @Test
    void artifactsAreListedAndDownloaded() throws IOException {
        long id = begun("[]", "");
        awaitState(id, RunState.AWAITING);
        assertThat(json(rig.get("/v1/runs/%d/artifacts".formatted(id))).get("artifacts"))
                .hasToString("[\"report.md\"]");
        Answer content = rig.get("/v1/runs/%d/artifacts/report.md".formatted(id));
        assertThat(content.body()).isEqualTo("order o-7\nchecked <b>");
        assertThat(content.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(content.header("content-disposition")).isEqualTo("attachment");
        assertThat(problem(rig.get("/v1/runs/%d/artifacts/other".formatted(id))))
                .isEqualTo("not-found");
    }

    @Test
    void aRunIsPausedResumedRewoundRetriedAndCancelled() throws IOException {
        long id = begun("[1]", "");
        awaitState(id, RunState.AWAITING);
        assertThat(act(id, "pause", "{\"reason\":\"lunch\"}").body())
                .isEqualTo("{\"id\":%d,\"answer\":\"done\",\"state\":\"paused\"}".formatted(id));
        assertThat(json(act(id, "resume", "{}")).get("state").asString()).isEqualTo("awaiting");
        assertThat(act(id, "rewind", "{\"step\":\"check\"}").status()).isEqualTo(200);
        awaitState(id, RunState.AWAITING);
        Answer nowhere = act(id, "rewind", "{\"step\":\"moon\"}");
        assertThat(problem(nowhere)).isEqualTo("bad-field");
        assertThat(json(nowhere).get("detail").asString()).contains("check");
        assertThat(problem(act(id, "retry", "{}"))).isEqualTo("wrong-state");
        assertThat(act(id, "cancel", "{}").status()).isEqualTo(200);
        awaitState(id, RunState.CANCELLED);
        assertThat(problem(act(id, "cancel", "{}"))).isEqualTo("wrong-state");
        assertThat(problem(act(id, "signal", "{\"name\":\"boss\"}"))).isEqualTo("wrong-state");
        assertThat(act(id, "retry", "{}").status()).isEqualTo(200);
        awaitState(id, RunState.AWAITING);
        assertThat(act(id, "reject", "{\"name\":\"boss\",\"reason\":\"no\"}").status())
                .isEqualTo(200);
        awaitState(id, RunState.FAILED);
        assertThat(rig.get("/v1/runs/%d/timeline".formatted(id)).body())
                .contains("by token 'admin': lunch", "\"rewound\"", "\"retried\"");
    }

    @Test
    void anInstanceOfAMachineTakesEventsOnce() throws IOException {
        Answer made = rig.post("/v1/workflows/order/runs", "{\"input\":{\"order\":\"o\",\"parcels\":[]}}");
        long id = json(made).get("id").asLong();
        awaitState(id, RunState.AWAITING);
        assertThat(problem(act(id, "signal", "{\"name\":\"fly\"}"))).isEqualTo("bad-field");
        String pay = "{\"name\":\"pay\",\"payload\":{},\"key\":\"p-1\"}";
        assertThat(act(id, "signal", pay).body())
                .isEqualTo("{\"id\":%d,\"signal\":\"pay\",\"new\":true}".formatted(id));
        awaitState(id, RunState.SUCCEEDED);
        long workflow = begun("[]", "");
        Answer keyed = act(workflow, "signal", "{\"name\":\"boss\",\"key\":\"k\"}");
        assertThat(problem(keyed)).isEqualTo("bad-field");
    }

    @Test
    void runsAreListedByWorkflowAndStateAndGoOnByTheirCursor() throws IOException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(begun("[]", ""));
        }
        rig.post("/v1/workflows/other/runs", "{\"input\":1}");
        ids.forEach(id -> awaitState(id, RunState.AWAITING));
        assertThat(json(rig.get("/v1/runs")).get("runs")).hasSize(4);
        JsonNode first = json(rig.get("/v1/runs?workflow=refund&state=awaiting&limit=2"));
        assertThat(first.get("runs")).hasSize(2);
        assertThat(first.at("/runs/0/id").asLong()).isEqualTo(ids.get(2));
        assertThat(first.at("/runs/0").has("data")).isFalse();
        String cursor = first.get("next").asString();
        JsonNode second = json(rig.get("/v1/runs?workflow=refund&state=awaiting&limit=2&cursor=" + cursor));
        assertThat(second.get("runs")).hasSize(1);
        assertThat(second.get("next").isNull()).isTrue();
        assertThat(problem(rig.get("/v1/runs?cursor=" + cursor))).isEqualTo("bad-cursor");
        assertThat(problem(rig.get("/v1/runs?state=sleepy"))).isEqualTo("bad-query");
        JsonNode definitions = json(rig.get("/v1/workflows")).get("definitions");
        assertThat(definitions).hasSize(3);
        assertThat(json(rig.get("/v1/workflows/other@2")).get("queue").asString())
                .isEqualTo("others");
        assertThat(problem(rig.get("/v1/workflows/other@1"))).isEqualTo("not-found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {"input":                             | bad-json  | expected JSON
            {"colour":1}                          | bad-field | unknown field
            {"priority":5000}                     | bad-field | priority
            {"budget":{"maxFun":1}}               | bad-field | maxCostUnits
            {"budget":{"maxCostUnits":"1"}}       | bad-field | maxCostUnits
            {"budget":{"maxCostUnits":0}}         | bad-field | more than zero
            {"budget":{"maxWallTime":"soon"}}     | bad-field | maxWallTime
            {"budget":{"maxStateBytes":1}}        | bad-field | maxStateBytes
            {"key":""}                            | bad-field | key
            """)
    void aWrongStartIsRefusedAndNothingIsStarted(String body, String slug, String told) throws IOException {
        Answer answer = rig.post("/v1/workflows/refund/runs", body);
        assertThat(problem(answer)).isEqualTo(slug);
        assertThat(json(answer).get("detail").asString()).contains(told);
        assertThat(json(rig.get("/v1/runs")).get("runs")).isEmpty();
        assertThat(problem(rig.post("/v1/workflows/unknown/runs", "{}"))).isEqualTo("not-found");
    }

    /** A run belongs to the queue of its definition, and to types that cover all its steps. */
    @Test
    void aTokenWithAScopeReachesOnlyRunsOfItsQueuesAndTypes() throws IOException {
        long mine = begun("[1]", "");
        long others = json(rig.post("/v1/workflows/other/runs", "{\"input\":1}"))
                .get("id")
                .asLong();
        awaitState(mine, RunState.AWAITING);
        for (TokenRequest scope : List.of(
                TokenRequest.named("queue").queue("refunds"),
                TokenRequest.named("types").type("refund@*"),
                TokenRequest.named("both").queue("ref*").type("refund@1/*"))) {
            String token = rig.token(scope.right(Right.ADMIN));
            assertThat(rig.send("GET", "/v1/runs/" + mine, token, "", Map.of()).status())
                    .isEqualTo(200);
            JsonNode parts = json(rig.send("GET", "/v1/runs/%d/tree".formatted(mine), token, "", Map.of()))
                    .get("parts");
            long item = parts.get(1).get("id").asLong();
            assertThat(rig.send("GET", "/v1/runs/" + item, token, "", Map.of()).status())
                    .isEqualTo(200);
            assertThat(problem(rig.send("GET", "/v1/runs/" + others, token, "", Map.of())))
                    .isEqualTo("not-found");
            assertThat(problem(rig.send("POST", "/v1/runs/%d/cancel".formatted(others), token, "{}", JSON)))
                    .isEqualTo("not-found");
            assertThat(problem(rig.send("POST", "/v1/workflows/other/runs", token, "{\"input\":1}", JSON)))
                    .isEqualTo("not-found");
            assertThat(problem(rig.send("GET", "/v1/runs", token, "", Map.of())))
                    .isEqualTo("outside-scope");
            assertThat(problem(rig.send("GET", "/v1/runs?workflow=other", token, "", Map.of())))
                    .isEqualTo("outside-scope");
            assertThat(json(rig.send("GET", "/v1/runs?workflow=refund", token, "", Map.of()))
                            .get("runs"))
                    .hasSize(1);
            assertThat(rig.send("GET", "/v1/workflows", token, "", Map.of()).body())
                    .contains("\"refund\"")
                    .doesNotContain("\"other\"");
        }
        String oneStep = rig.token(TokenRequest.named("step").right(Right.ADMIN).type("refund@1/check"));
        assertThat(problem(rig.send("GET", "/v1/runs/" + mine, oneStep, "", Map.of())))
                .isEqualTo("not-found");
        assertThat(rig.headgate.workflows().status(RunId.of(others)).state()).isEqualTo(RunState.RUNNING);
    }

    @Test
    void dataAreSeenOnlyWithTheRight() throws IOException {
        long id = begun("[1]", "");
        awaitState(id, RunState.AWAITING);
        String reader = rig.token(Right.READ);
        for (String path : List.of("", "/tree", "/timeline")) {
            Answer seen = rig.send("GET", "/v1/runs/" + id + path, reader, "", Map.of());
            assertThat(seen.status()).isEqualTo(200);
            assertThat(seen.body()).doesNotContain("\"data\"", "o-7");
        }
        assertThat(problem(rig.send("GET", "/v1/runs/%d/artifacts/report.md".formatted(id), reader, "", Map.of())))
                .isEqualTo("missing-right");
        assertThat(rig.get("/v1/runs/%d/timeline".formatted(id)).body()).contains("\"data\":{\"order\":\"o-7\"");
    }
}
