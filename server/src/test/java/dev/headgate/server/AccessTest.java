package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.JsonJob;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.schedule.Schedule;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what: every route with every kind of token that must not pass. */
class AccessTest {
    /** These answer a token with a scope, with what it covers. */
    private static final Set<String> LISTS = Set.of("listQueues", "getBacklog", "listWaits", "listSchedules");

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    @TempDir
    Path folder;

    private ServerRig rig;
    private JobId job;

    @BeforeEach
    void start() {
        rig = new ServerRig(folder);
        job = rig.headgate
                .enqueueJson("send", "{}", options -> options.queue("mail"))
                .id();
        rig.headgate
                .schedules()
                .putJson(
                        "nightly",
                        Schedule.once(Instant.parse("2100-01-01T00:00:00Z")),
                        new JsonJob("send", "{}", options -> options.queue("mail")));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private String path(Route route) {
        return route.path()
                .replace("{id}", String.valueOf(job))
                .replace("{slug}", "not-found")
                .replace("{worker}", "w")
                .replace("{queue}", "mail")
                .replace("{gate}", "api")
                .replace("{type}", "send")
                .replace("{schedule}", "nightly")
                .replace("{permit}", "zz")
                .replace("{kind}", "gate")
                .replace("{name}", "api")
                .replace("{workflow}", "ship")
                .replace("{run}", "1")
                .replace("{artifact}", "report");
    }

    private void assertNothingChanged() {
        assertThat(rig.headgate.controls().paused()).isEmpty();
        assertThat(rig.headgate.policies().version()).isZero();
        assertThat(rig.headgate.schedules().status("nightly").isPaused()).isFalse();
        assertThat(rig.headgate.list(JobFilter.all()))
                .singleElement()
                .satisfies(left -> assertThat(left.spec().order().priority()).isZero());
    }

    @Test
    void noRouteButOpenOnesAnswersWithoutATokenOrWithAWrongOne() throws IOException {
        for (Route route : Site.routes()) {
            Answer none = rig.send(route.method(), path(route), "", "", Map.of());
            if (route.right() == null) {
                assertThat(none.status()).as(route.id()).isEqualTo(200);
            } else {
                assertThat(problem(none)).as(route.id()).isEqualTo("no-token");
                assertThat(none.header("www-authenticate")).startsWith("Bearer");
                Answer wrong = rig.send(route.method(), path(route), "hg_wrong", "", Map.of());
                assertThat(problem(wrong)).as(route.id()).isIn("bad-token", "too-many-guesses");
            }
        }
        assertNothingChanged();
    }

    @Test
    void eachRouteRefusesATokenThatHasEveryOtherRight() throws IOException {
        for (Route route : Site.routes()) {
            Right needed = route.right();
            if (needed != null) {
                TokenRequest all = TokenRequest.named("all but " + needed);
                for (Right right : EnumSet.complementOf(EnumSet.of(needed, Right.ADMIN))) {
                    all = all.right(right);
                }
                Answer answer = rig.send(route.method(), path(route), rig.token(all), "{}", JSON);
                assertThat(problem(answer)).as(route.id()).isEqualTo("missing-right");
                assertThat(json(answer).get("detail").asString()).contains("'%s'".formatted(needed.text()));
            }
        }
        assertNothingChanged();
    }

    @Test
    void aTokenForOtherQueuesOrTypesReachesNothing() throws IOException {
        for (TokenRequest scoped : new TokenRequest[] {
            TokenRequest.named("queue").right(Right.ADMIN).queue("site:*"),
            TokenRequest.named("type").right(Right.ADMIN).type("other")
        }) {
            String token = rig.token(scoped);
            for (Route route : Site.routes()) {
                // These two tell a token what it covers; that it covers no workflow here is tested with runs.
                if (route.right() != null && !Set.of("whoAmI", "listWorkflows").contains(route.id())) {
                    String body = route.id().startsWith("enqueueJob") ? "{\"type\":\"send\",\"queue\":\"mail\"}" : "{}";
                    boolean isLines = route.id().equals("enqueueJobs");
                    Answer answer = rig.send(
                            route.method(),
                            path(route),
                            token,
                            route.method().equals("GET") ? "" : body,
                            isLines ? Map.of("Content-Type", "application/x-ndjson") : JSON);
                    if (isLines) {
                        assertThat(answer.body()).contains("outside-scope").doesNotContain("\"id\"");
                    } else if (answer.status() == 200) {
                        assertThat(LISTS)
                                .as("%s: %s", route.id(), answer.body())
                                .contains(route.id());
                        assertThat(answer.body()).as(route.id()).doesNotContain("mail");
                    } else {
                        assertThat(problem(answer)).as(route.id()).isIn("outside-scope", "not-found", "bad-field");
                    }
                }
            }
        }
        assertNothingChanged();
    }

    @Test
    void aTokenReachesWhatItIsFor() throws IOException {
        String token = rig.token(TokenRequest.named("site")
                .right(Right.READ)
                .right(Right.ENQUEUE)
                .queue("site:*")
                .type("crawl"));
        String body = "{\"type\":\"crawl\",\"queue\":\"site:a\"}";
        assertThat(rig.send("POST", "/v1/jobs", token, body, JSON).status()).isEqualTo(201);
        Answer list = rig.send("GET", "/v1/jobs?queue=site:a&type=crawl", token, "", Map.of());
        assertThat(json(list).get("jobs")).hasSize(1);
        String withChild =
                "{\"type\":\"crawl\",\"queue\":\"site:a\",\"children\":[{\"type\":\"crawl\",\"queue\":\"mail\"}]}";
        assertThat(problem(rig.send("POST", "/v1/jobs", token, withChild, JSON)))
                .isEqualTo("outside-scope");
        assertThat(json(rig.send("GET", "/v1/token", token, "", Map.of())).get("queues"))
                .hasToString("[\"site:*\"]");
    }

    @Test
    void shellJobsNeedATokenThatNamesTheType() throws IOException {
        String body = "{\"type\":\"shell\",\"payload\":{\"command\":\"true\"}}";
        assertThat(problem(rig.send("POST", "/v1/jobs", rig.admin, body, JSON))).isEqualTo("outside-scope");
        String all =
                rig.token(TokenRequest.named("all types").right(Right.ENQUEUE).type("*"));
        assertThat(problem(rig.send("POST", "/v1/jobs", all, body, JSON))).isEqualTo("outside-scope");
        String named =
                rig.token(TokenRequest.named("shell").right(Right.ENQUEUE).type("shell"));
        assertThat(rig.send("POST", "/v1/jobs", named, body, JSON).status()).isEqualTo(201);
    }

    @Test
    void anExpiredOrRevokedTokenGivesNoAccess() throws IOException, InterruptedException {
        var made =
                rig.tokens.create(TokenRequest.named("brief").right(Right.READ).lifetime(Duration.ofMillis(1)));
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (rig.tokens.find(made.secret()).isPresent()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
        assertThat(problem(rig.send("GET", "/v1/jobs", made.secret(), "", Map.of())))
                .isEqualTo("bad-token");
        var revoked = rig.tokens.create(TokenRequest.named("revoked").right(Right.READ));
        assertThat(rig.tokens.revoke(revoked.token().id())).isTrue();
        assertThat(problem(rig.send("GET", "/v1/jobs", revoked.secret(), "", Map.of())))
                .isEqualTo("bad-token");
        assertThat(rig.tokens.revoke(revoked.token().id())).isFalse();
    }

    @Test
    void aUseOfATokenIsNoted() throws IOException {
        rig.get("/v1/jobs");
        assertThat(rig.tokens.list()).extracting(Token::usedAt).doesNotContainNull();
    }

    @Test
    void guessingIsSlowedAndGoodTokensPassAllTheSame() throws IOException {
        rig.get("/v1/jobs");
        String last = "";
        for (int i = 0; i < 12; i++) {
            last = problem(rig.send("GET", "/v1/jobs", "hg_guess" + i, "", Map.of()));
        }
        assertThat(last).isEqualTo("too-many-guesses");
        assertThat(rig.get("/v1/jobs").status()).isEqualTo(200);
    }

    @Test
    void onlyRequestsForThisHostAreAnswered() throws IOException {
        for (String host :
                new String[] {"evil.example", "evil.example:80", "localhost.evil.example", "localhost@evil", ""}) {
            Answer answer = rig.send("GET", "/v1/jobs", rig.admin, "", Map.of("Host", host));
            assertThat(answer.status()).as(host).isIn(400, 421);
        }
        for (String host : new String[] {"localhost", "127.0.0.1:1", "[::1]:8080", "LOCALHOST:80"}) {
            assertThat(rig.send("GET", "/v1/jobs", rig.admin, "", Map.of("Host", host))
                            .status())
                    .as(host)
                    .isEqualTo(200);
        }
    }

    @Test
    void pagesOfOtherSitesChangeNothing() throws IOException {
        String path = "/v1/jobs/%s/cancel".formatted(job);
        for (Map<String, String> headers : java.util.List.of(
                Map.of("Sec-Fetch-Site", "cross-site"),
                Map.of("Sec-Fetch-Site", "same-site"),
                Map.of("Origin", "http://evil.example"),
                Map.of("Origin", "null"),
                Map.of("Origin", "http://localhost:1"))) {
            assertThat(problem(rig.send("POST", path, rig.admin, "", headers)))
                    .as("%s", headers)
                    .isEqualTo("cross-site");
        }
        assertNothingChanged();
        Map<String, String> own =
                Map.of("Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:" + rig.server.port());
        assertThat(rig.send("POST", path, rig.admin, "", own).status()).isEqualTo(200);
    }

    @Test
    void anAddressForOthersNeedsTlsAndTokens() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> HeadgateServer.of(rig.headgate).address("0.0.0.0").start())
                .withMessageContaining("behindTls");
        rig.tokens.list().forEach(token -> rig.tokens.revoke(token.id()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HeadgateServer.of(rig.headgate)
                        .address("0.0.0.0")
                        .behindTls()
                        .start())
                .withMessageContaining("headgate token create");
    }

    @Test
    void pathsAndMethodsAreReadStrictly() throws IOException {
        for (String path : new String[] {
            "/", "/v1", "/v2/jobs", "/v1/jobs/", "//v1/jobs", "/v1/./jobs", "/v1/x/../jobs", "/v1/jobs/%2e%2e/server"
        }) {
            Answer answer = rig.get(path);
            assertThat(answer.status()).as(path).isIn(400, 404);
        }
        assertThat(json(rig.get("/v2/jobs")).get("detail").asString()).contains("version 1");
        Answer put = rig.send("PUT", "/v1/jobs/" + job, rig.admin, "{}", JSON);
        assertThat(put.status()).isEqualTo(405);
        assertThat(put.header("allow")).isEqualTo("DELETE, GET");
        assertThat(rig.raw
                        .send(
                                "HEAD /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
                                        .formatted(rig.admin))
                        .body())
                .isEmpty();
    }

    @Test
    void headersThatAreTooLargeAreAProblemToo() throws IOException {
        Answer answer = rig.raw.send("GET /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: %s\r\n\r\n"
                .formatted("x".repeat(20_000)));
        assertThat(answer.status()).isEqualTo(431);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    }

    @Test
    void theServerAnswersBelowItsBasePathOnly(@TempDir Path other) throws IOException {
        try (ServerRig below = new ServerRig(other, "/headgate")) {
            assertThat(below.server.url()).endsWith("/headgate");
            Answer answer =
                    below.raw.send("GET /headgate/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(answer.body()).isEqualTo("ok\n");
            assertThat(below.raw
                            .send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .status())
                    .isEqualTo(404);
        }
    }
}
