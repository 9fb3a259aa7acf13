package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryAfterHeader;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryLater.When;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answers of a real server on this machine do to a job. */
class HttpCallsTest {
    private static final HostRules LOOPBACK = HostRules.of(List.of("127.0.0.1"), List.of());

    private final AtomicInteger calls = new AtomicInteger();
    private Bench<HttpJob> bench;
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        bench = new Bench<>(HttpJob.TYPE, new HttpCalls(LOOPBACK));
    }

    @AfterEach
    void close() {
        bench.close();
        server.stop(0);
    }

    @Test
    void itWarmsUpOnThisMachineWhateverHostsAreAllowed() throws Exception {
        HttpCalls calls = new HttpCalls(HostRules.of(List.of("api.example.com"), List.of()));
        calls.warmUp();
        calls.warmUp();
        try (Rehearsal rehearsal = new Rehearsal(Duration.ofMillis(100))) {
            assertThat(InetAddress.getByName(rehearsal.uri().getHost()).isLoopbackAddress())
                    .isTrue();
        }
    }

    private interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    private String serve(Reply reply) {
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            try (exchange) {
                reply.to(exchange);
            }
        });
        return "http://127.0.0.1:%d/v1/things".formatted(server.getAddress().getPort());
    }

    private String serve(int status, String body, String... headers) {
        return serve(exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    private static HttpJob job(
            String method, String url, Map<String, String> headers, String body, List<String> expect) {
        return new HttpJob(method, url, headers, body, expect, null, List.of("X-Cost"), null, null, null);
    }

    @Test
    void sendsWhatWasAskedForAndKeepsTheAnswer() throws Exception {
        String url = serve(exchange -> {
            String seen = "%s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("X-Tenant"),
                            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().set("X-Cost", "7");
            exchange.getResponseHeaders().set("X-Other", "left out");
            exchange.getResponseHeaders().set("Set-Cookie", "left out");
            byte[] bytes = seen.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, bytes.length);
            exchange.getResponseBody().write(bytes);
        });
        HttpAnswer answer = bench.result(
                job("PUT", url + "?q=1", Map.of("X-Tenant", "acme"), "{\"n\":\"☃\"}", null), HttpAnswer.class);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("PUT /v1/things?q=1 acme {\"n\":\"☃\"}");
        assertThat(answer.headers()).containsEntry("x-cost", "7").doesNotContainKeys("x-other", "set-cookie");
        assertThat(answer.cut()).isFalse();
    }

    @Test
    void aStatusThatIsExpectedIsSuccess() throws Exception {
        String url = serve(404, "no such thing");
        assertThat(bench.result(job(null, url, null, null, List.of("200-299", "404")), HttpAnswer.class)
                        .body())
                .isEqualTo("no such thing");
    }

    @Test
    void aServerThatPushesBackShutsTheGateItStandsFor() throws Exception {
        HttpJob asked = HttpJob.get(serve(429, "", "Retry-After", "120")).holding("api");
        assertThat(((RetryLater) bench.failure(asked)).when())
                .isEqualTo(new RetryLater.When.Reopened("api", Duration.ofMinutes(2)));
    }

    @Test
    void a429WithoutAWaitLeavesTheWaitToTheGatesBackOff() throws Exception {
        HttpJob told = HttpJob.get(serve(429, "")).holding("api");
        assertThat(((RetryLater) bench.failure(told)).when()).isEqualTo(new RetryLater.When.Reopened("api", null));
    }

    @Test
    void retryAfterInSecondsIsHonoured() throws Exception {
        assertThat(waitOf(bench.failure(HttpJob.get(serve(429, "", "Retry-After", "120")))))
                .isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aWaitOfYearsIsNotBelieved() throws Exception {
        assertThat(waitOf(bench.failure(HttpJob.get(serve(429, "", "Retry-After", "99999999999999999999")))))
                .isEqualTo(RetryAfterHeader.WAIT_MAX);
    }

    private static Duration waitOf(Exception thrown) {
        assertThat(thrown).isInstanceOf(RetryLater.class);
        return ((When.After) ((RetryLater) thrown).when()).delay();
    }

    @ParameterizedTest
    @CsvSource({"429,", "429,soon", "503,", "500,", "502,", "408,", "425,", "500,60"})
    void whatMayPassIsTriedAgainByPolicy(int status, String retryAfter) throws Exception {
        String url = retryAfter == null ? serve(status, "") : serve(status, "", "Retry-After", retryAfter);
        assertThat(bench.failure(HttpJob.get(url)))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("expected status 200-299, got " + status);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 422, 301, 304})
    void whatWillNotPassFailsForGood(int status) throws Exception {
        assertThat(bench.failure(HttpJob.get(serve(status, ""))))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("got " + status);
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        String url = serve(302, "", "Location", "http://127.0.0.1:1/");
        assertThat(bench.failure(HttpJob.get(url))).isInstanceOf(PermanentFailure.class);
        assertThat(calls).hasValue(1);
    }

    @Test
    void nobodyThereIsTriedAgain() throws Exception {
        server.stop(0);
        String url = "http://127.0.0.1:%d/?token=hunter2"
                .formatted(server.getAddress().getPort());
        assertThat(bench.failure(HttpJob.get(url)))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("expected an answer, got none")
                .hasMessageNotContaining("hunter2");
    }

    /** Many servers repeat the request in their error page. */
    @Test
    void secretsAreInNoError() throws Exception {
        String url = serve(exchange -> {
            String said = "bad token " + exchange.getRequestHeaders().getFirst("Authorization");
            exchange.sendResponseHeaders(401, said.length());
            exchange.getResponseBody().write(said.getBytes(StandardCharsets.UTF_8));
        });
        HttpJob call = job(null, url + "?key=hunter2", Map.of("Authorization", "Bearer s3cr3t-t0ken"), null, null);
        assertThat(bench.failure(call))
                .hasMessageContaining("GET http://127.0.0.1:")
                .hasMessageContaining("/v1/things: expected status 200-299, got 401: bad token …")
                .hasMessageNotContaining("s3cr3t")
                .hasMessageNotContaining("hunter2");
        assertThat(call.toString()).doesNotContain("s3cr3t", "hunter2");
    }

    @Test
    void bytesThatAreNoTextComeInBase64() throws Exception {
        String url = serve(exchange -> {
            exchange.sendResponseHeaders(200, 3);
            exchange.getResponseBody().write(new byte[] {0, (byte) 0xff, 7});
        });
        HttpAnswer answer = bench.result(HttpJob.get(url), HttpAnswer.class);
        assertThat(answer.body()).isNull();
        assertThat(answer.bodyBase64()).isEqualTo("AP8H");
    }

    @Test
    void aHostThatIsNotAllowedIsNotCalled() throws Exception {
        String url = serve(200, "").replace("127.0.0.1", "localhost");
        assertThat(bench.failure(HttpJob.get(url)))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("host 'localhost': expected one that this worker allows")
                .hasMessageContaining("--allow-host localhost");
        assertThat(calls).hasValue(0);
    }
}
