package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FiguresOverHttpTest {
    private static final JobType<String> SEND = JobType.of("send", String.class);
    private static final Pattern SERIES = Pattern.compile("([a-z_]+)\\{([^}]*)} [0-9.]+");

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

    /** Runs one job for each of so many tenants. The worker writes what it counted when it leaves. */
    private void run(int tenants) throws InterruptedException {
        rig.headgate.policies().gate("tenant:*", gate -> gate.limit(Limit.concurrency(3)));
        rig.headgate.handle(SEND, (text, job) -> {});
        List<String> names =
                IntStream.range(0, tenants).mapToObj(i -> "tenant:" + i).toList();
        rig.headgate.enqueueAll(SEND, names, (tenant, job) -> job.queue("mail").gate(tenant));
        Worker worker = rig.headgate.worker("mail").slots(50).start();
        assertThat(worker.awaitIdle(Duration.ofMinutes(2))).isTrue();
        worker.stop();
    }

    @Test
    void figuresAreReadByNameAndOverAll() throws Exception {
        run(4);
        JsonNode mail = json(rig.get("/v1/figures?queue=mail&since=10m&step=10s"));
        assertThat(mail.get("stepMs").asInt()).isEqualTo(10_000);
        assertThat(mail.get("series")).hasSize(1);
        JsonNode series = mail.get("series").get(0);
        assertThat(series.get("kind").asString()).isEqualTo("queue");
        assertThat(series.get("points").size()).isBetween(60, 61);
        long succeeded = 0;
        for (JsonNode point : series.get("points")) {
            succeeded += point.get("succeeded").asLong();
            assertThat(point.get("ran").get("count").asLong())
                    .isEqualTo(point.get("succeeded").asLong());
        }
        assertThat(succeeded).isEqualTo(4);
        JsonNode all = json(rig.get("/v1/figures"));
        assertThat(all.get("series").findValuesAsString("name")).contains("mail", "send", "tenant:*");
        JsonNode keys = json(rig.get("/v1/figures?gate=tenant:*"));
        assertThat(keys.get("series").findValuesAsString("name")).contains("tenant:*", "tenant:0", "tenant:3");
        assertThat(json(rig.get("/v1/figures?kind=type")).get("series").findValuesAsString("kind"))
                .containsOnly("type");
    }

    @Test
    void wrongQuestionsAreProblems() throws IOException {
        for (String query : List.of(
                "step=15s",
                "since=90d",
                "since=1x",
                "queue=a&type=b",
                "kind=colour",
                "until=tomorrow",
                "until=%2B999999999-12-31T23:59:59Z",
                "until=-1000-01-01T00:00:00Z",
                "since=6h&step=10s",
                "until=2020-01-01T00:00:00Z&step=1m",
                "colour=red")) {
            Answer answer = rig.get("/v1/figures?" + query);
            assertThat(answer.status()).as(query).isEqualTo(400);
            assertThat(problem(answer)).as(query).isEqualTo("bad-query");
        }
    }

    @Test
    void aTokenWithAScopeSeesNoFiguresOfOthers() throws IOException {
        String narrow = rig.token(TokenRequest.named("narrow").right(Right.READ).queue("mail"));
        for (String path : List.of("/v1/figures?queue=mail", "/metrics")) {
            assertThat(rig.send("GET", path, narrow, "", Map.of()).status()).isEqualTo(403);
            assertThat(rig.send("GET", path, rig.token(Right.ENQUEUE), "", Map.of())
                            .status())
                    .isEqualTo(403);
            assertThat(rig.send("GET", path, "", "", Map.of()).status()).isEqualTo(401);
        }
    }

    @Test
    void metricsHaveAFixedNumberOfSeriesWhateverKeysAreBehindAPattern() throws Exception {
        run(300);
        Answer answer = rig.get("/metrics");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        Set<String> gates = new TreeSet<>();
        Matcher series = SERIES.matcher(answer.body());
        while (series.find()) {
            if (series.group(1).startsWith("headgate_gate_")) {
                gates.add(series.group(2).replaceAll(",.*", ""));
            }
        }
        assertThat(gates).containsExactly("gate=\"tenant:*\"");
        assertThat(answer.body())
                .contains("headgate_queue_started_total{queue=\"mail\"} 300\n")
                .contains("headgate_gate_started_total{gate=\"tenant:*\"} 300\n")
                .contains("headgate_type_ended_total{type=\"send\",outcome=\"succeeded\"} 300\n")
                .contains("headgate_queue_run_seconds_bucket{queue=\"mail\",le=\"+Inf\"} 300\n")
                .contains("headgate_queue_run_seconds_count{queue=\"mail\"} 300\n")
                .contains("le=\"0.001\"")
                .doesNotContain("tenant:1");
    }

    @Test
    void everyMetricIsOnThePageAboutThemAndEveryNameThereIsAMetric() throws Exception {
        run(1);
        Set<String> served = new TreeSet<>();
        Matcher types = Pattern.compile("# TYPE ([a-z_]+) (counter|gauge|histogram)")
                .matcher(rig.get("/metrics").body());
        while (types.find()) {
            served.add(types.group(1));
        }
        String page = Files.readString(page(), StandardCharsets.UTF_8);
        Set<String> told = new TreeSet<>();
        Matcher names = Pattern.compile("(?m)^(headgate_[a-z_]+) +(?:counter|gauge|histogram) ")
                .matcher(page);
        while (names.find()) {
            told.add(names.group(1));
        }
        assertThat(told).isEqualTo(served).isNotEmpty();
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        Path page = folder.resolve("docs/guides/figures.md");
        return Files.exists(page) ? page : folder.resolveSibling("docs/guides/figures.md");
    }
}
