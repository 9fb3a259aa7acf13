package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.headgate.handler.PermanentFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server that repeats the token it was sent, in every way that it can. */
class HttpSecretsTest {
    private static final String TOKEN = "s3cr3t-t0ken-0f-the-w0rker";
    private static final Map<String, String> ENVIRONMENT = Map.of("API_TOKEN", "Bearer " + TOKEN);

    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private interface Reply {
        byte[] to(HttpExchange exchange, String token) throws IOException;
    }

    private String serve(int status, Reply reply) {
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            try (exchange) {
                byte[] said = reply.to(
                        exchange, String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                exchange.sendResponseHeaders(status, said.length);
                exchange.getResponseBody().write(said);
            }
        });
        return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Bench<HttpJob> bench(String binding) {
        HostRules rules = HostRules.of(List.of("127.0.0.1", "localhost"), List.of());
        return new Bench<>(
                HttpJob.TYPE, new HttpCalls(rules, HeaderVariables.of(List.of("API_TOKEN=" + binding), ENVIRONMENT)));
    }

    private static HttpJob call(String url, Integer keepBytes) {
        return new HttpJob(
                null,
                url,
                null,
                null,
                null,
                null,
                List.of("X-Sent"),
                keepBytes,
                null,
                Map.of("Authorization", "API_TOKEN"));
    }

    private static HttpAnswer answer(String url, Integer keepBytes) throws InterruptedException {
        try (Bench<HttpJob> bench = bench(url)) {
            return bench.result(call(url, keepBytes), HttpAnswer.class);
        }
    }

    @Test
    void aRepeatedTokenIsHiddenInTheBodyAndInHeaders() throws Exception {
        String url = serve(200, (exchange, token) -> {
            exchange.getResponseHeaders().set("X-Sent", token);
            exchange.getResponseHeaders().set("Location", "/?token=" + TOKEN);
            return utf8("{\"sent\":\"%s\",\"inBase64\":\"%s\"}"
                    .formatted(token, Base64.getEncoder().encodeToString(utf8("user:" + TOKEN))));
        });
        HttpAnswer answer = answer(url, null);
        assertThat(answer.body())
                .matches("\\{\"sent\":\"\\(hidden\\)\",\"inBase64\":\"[^\"]{0,8}\\(hidden\\)[^\"]{0,3}\"}");
        assertThat(answer.headers()).containsEntry("x-sent", "(hidden)").containsEntry("location", "/?token=(hidden)");
        assertThat(answer.toString()).doesNotContain(TOKEN);
    }

    @Test
    void andInBytesThatAreNoText() throws Exception {
        HttpAnswer answer = answer(serve(200, (exchange, token) -> utf8("\0" + token + "\0")), null);
        assertThat(answer.bodyBase64()).isEqualTo(Base64.getEncoder().encodeToString(utf8("\0(hidden)\0")));
    }

    @Test
    void andInAnotherCharset() throws Exception {
        HttpAnswer answer = answer(
                serve(200, (exchange, token) -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=UTF-16");
                    return ("sent " + token).getBytes(StandardCharsets.UTF_16);
                }),
                null);
        assertThat(answer.toString()).doesNotContain(TOKEN).doesNotContain("t0ken");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9, 20})
    void aTokenAtTheCutIsHiddenWhole(int kept) throws Exception {
        HttpAnswer answer = answer(serve(200, (exchange, token) -> utf8(token + " and more")), kept);
        assertThat(answer.body()).isEqualTo("(hidden)");
        assertThat(answer.cut()).isTrue();
    }

    @Test
    void ofACompressedAnswerNothingIsKept() throws Exception {
        HttpAnswer answer = answer(
                serve(200, (exchange, token) -> {
                    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                        gzip.write(utf8(token));
                    }
                    return bytes.toByteArray();
                }),
                null);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.bodyBase64()).isNull();
        assertThat(answer.cut()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500})
    void andInErrors(int status) throws Exception {
        String url = serve(
                status,
                (exchange, token) -> utf8("no right for %s (%s)"
                        .formatted(token, Base64.getEncoder().encodeToString(utf8(TOKEN)))));
        try (Bench<HttpJob> bench = bench(url)) {
            assertThat(bench.failure(call(url, null)))
                    .hasMessageContaining("got %d: no right for (hidden) ((hidden)".formatted(status));
        }
    }

    @Test
    void anotherPortOfTheSameHostIsNotSentIt() throws Exception {
        String url = serve(200, (exchange, token) -> utf8(token));
        try (Bench<HttpJob> bench = bench("http://127.0.0.1:1")) {
            assertThat(bench.failure(call(url, null)))
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("start the worker with --http-env API_TOKEN=" + url.replaceAll("/$", ""));
        }
        assertThat(calls).hasValue(0);
    }

    @Test
    void aRedirectTakesItNowhere() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger otherCalls = new AtomicInteger();
        other.createContext("/", exchange -> {
            otherCalls.incrementAndGet();
            exchange.close();
        });
        other.start();
        try {
            String url = serve(307, (exchange, token) -> {
                exchange.getResponseHeaders()
                        .set(
                                "Location",
                                "http://localhost:" + other.getAddress().getPort());
                return utf8(token);
            });
            try (Bench<HttpJob> bench = bench(url)) {
                assertThat(bench.failure(call(url, null)))
                        .isInstanceOf(PermanentFailure.class)
                        .hasMessageContaining("got 307: (hidden)");
            }
        } finally {
            other.stop(0);
        }
        assertThat(calls).hasValue(1);
        assertThat(otherCalls).hasValue(0);
    }
}
