package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryLater.When;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that misbehave on the wire: each of them sees that the caller hangs up. */
class HttpWireTest {
    private final ServerSocket listening = listen();
    private Bench<HttpJob> bench;

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() {
        bench = new Bench<>(HttpJob.TYPE, new HttpCalls(HostRules.of(List.of("127.0.0.1"), List.of())));
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
        listening.close();
    }

    private HttpJob call(String timeout, Integer keepBytes) {
        String url = "http://127.0.0.1:" + listening.getLocalPort() + "/";
        return new HttpJob(null, url, null, null, null, timeout, null, keepBytes, null, null);
    }

    private interface Talk {
        void with(Socket caller) throws IOException;
    }

    /** Answers one call; the future ends when the caller has hung up. */
    private CompletableFuture<Void> answer(Talk talk) {
        return CompletableFuture.runAsync(() -> {
            try (Socket caller = listening.accept()) {
                readHead(caller.getInputStream());
                talk.with(caller);
            } catch (IOException hungUp) {
                // what every one of them waits for
            }
        });
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
    }

    private static void awaitHangUp(Socket caller) throws IOException {
        assertThat(caller.getInputStream().read()).as("hung up").isEqualTo(-1);
    }

    private static void send(Socket caller, String text) throws IOException {
        caller.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        caller.getOutputStream().flush();
    }

    @Test
    void anEndlessAnswerIsCutAndTheRestNeverRead() throws Exception {
        CompletableFuture<Void> hungUp = answer(caller -> {
            send(caller, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
            while (true) {
                send(caller, "☃".repeat(1_000));
            }
        });
        HttpAnswer answer = bench.result(call("30s", 1_000), HttpAnswer.class);
        assertThat(answer.cut()).isTrue();
        assertThat(answer.body()).as("no torn character").isEqualTo("☃".repeat(333));
        hungUp.get(120, TimeUnit.SECONDS);
    }

    /** Counted from the server's own date, so a server whose clock is years off is understood all the same. */
    @Test
    void retryAfterAsADateIsCountedFromTheServersOwn() throws Exception {
        CompletableFuture<Void> done = answer(caller -> send(
                caller,
                String.join(
                        "\r\n",
                        "HTTP/1.1 503 Busy",
                        "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                        "Retry-After: Sun, 06 Nov 1994 08:50:07 GMT",
                        "Content-Length: 0",
                        "",
                        "")));
        assertThat(bench.failure(call("30s", null)))
                .isInstanceOfSatisfying(
                        RetryLater.class,
                        later -> assertThat(later.when()).isEqualTo(new When.After(Duration.ofSeconds(30))));
        done.get(120, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerThatTricklesIsGivenUp() throws Exception {
        CompletableFuture<Void> hungUp = answer(caller -> {
            send(caller, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nslow");
            awaitHangUp(caller);
        });
        assertThat(bench.failure(call("100ms", null)))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("expected the whole answer within 100ms");
        hungUp.get(120, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerThatNeverComesIsGivenUp() throws Exception {
        CompletableFuture<Void> hungUp = answer(HttpWireTest::awaitHangUp);
        assertThat(bench.failure(call("100ms", null))).isInstanceOf(HttpTimeoutException.class);
        hungUp.get(120, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerThatBreaksOffIsTriedAgain() throws Exception {
        CompletableFuture<Void> done =
                answer(caller -> send(caller, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"));
        assertThat(bench.failure(call("30s", null)))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("expected an answer, got none");
        done.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aCancelledJobHangsUp() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CompletableFuture<Void> hungUp = answer(caller -> {
            called.countDown();
            awaitHangUp(caller);
        });
        JobId id = bench.start(call("1h", null));
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        bench.cancel(id);
        assertThat(bench.end(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(bench.thrown()).isInstanceOf(InterruptedException.class);
        hungUp.get(120, TimeUnit.SECONDS);
    }

    /** A job's answer, if the server sends these lines and hangs up. */
    private HttpAnswer answerTo(String... lines) throws Exception {
        CompletableFuture<Void> done = answer(caller -> send(caller, String.join("\r\n", lines)));
        HttpAnswer answer = bench.result(call("30s", null), HttpAnswer.class);
        done.get(120, TimeUnit.SECONDS);
        return answer;
    }

    @Test
    void anAnswerInPiecesIsPutTogether() throws Exception {
        HttpAnswer answer = answerTo(
                "HTTP/1.1 100 Continue",
                "",
                "HTTP/1.1 103 Early Hints",
                "Link: </a>",
                "",
                "HTTP/1.1 200 OK",
                "TRANSFER-encoding:  Chunked",
                "X-Request-Id: a",
                "x-request-id: b",
                " c",
                "",
                "5;name=value",
                "hello",
                "00006",
                " world",
                "0",
                "Trailer: x",
                "",
                "");
        assertThat(answer.body()).isEqualTo("hello world");
        assertThat(answer.cut()).isFalse();
        assertThat(answer.headers()).containsEntry("x-request-id", "a, b c");
    }

    @Test
    void anAnswerWithoutALengthEndsWithTheConnection() throws Exception {
        assertThat(answerTo("HTTP/1.0 200 OK", "Content-Type: text/plain", "", "all of it")
                        .body())
                .isEqualTo("all of it");
    }

    @Test
    void anAnswerWithoutABodyIsNotWaitedFor() throws Exception {
        CompletableFuture<Void> hungUp = answer(caller -> {
            send(caller, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
            awaitHangUp(caller);
        });
        assertThat(bench.result(call("30s", null), HttpAnswer.class).status()).isEqualTo(204);
        hungUp.get(120, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9 secret\r\n",
                "HTTP/1.1 200 OK\r\nno colon in secret\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5 secret\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nsecret",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsecret\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsecret\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhell",
                "HTTP/1.1 101 Switching Protocols\r\n\r\nsecret",
                ""
            })
    void whatIsNotHttpIsTriedAgainAndNotQuoted(String said) throws Exception {
        CompletableFuture<Void> done = answer(caller -> send(caller, said));
        assertThat(bench.failure(call("30s", null)))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("expected an answer, got none")
                .hasMessageNotContaining("secret");
        done.get(120, TimeUnit.SECONDS);
    }

    @Test
    void endlessHeadersAreGivenUp() throws Exception {
        CompletableFuture<Void> hungUp = answer(caller -> {
            send(caller, "HTTP/1.1 200 OK\r\n");
            while (true) {
                send(caller, "X-Filler: " + "x".repeat(1_000) + "\r\n");
            }
        });
        assertThat(bench.failure(call("30s", null))).hasMessageContaining("its headers have more than 65536 bytes");
        hungUp.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionIsUsedAgain() throws Exception {
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try (Socket caller = listening.accept()) {
                for (int i = 0; i < 3; i++) {
                    readHead(caller.getInputStream());
                    send(caller, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + i);
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
        for (int i = 0; i < 3; i++) {
            assertThat(bench.result(call("30s", null), HttpAnswer.class).body()).isEqualTo("" + i);
        }
        done.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionThatTheServerHasClosedIsNotUsedAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(answerTo("HTTP/1.1 200 OK", "Content-Length: 1", "", "" + i)
                            .body())
                    .isEqualTo("" + i);
        }
    }

    /** A server that refuses a long request may say so before it has read it. */
    @Test
    void anAnswerThatComesBeforeTheRequestIsReadCounts() throws Exception {
        CompletableFuture<Void> done = answer(caller -> {
            send(caller, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            caller.shutdownOutput();
            caller.getInputStream().readAllBytes();
        });
        String url = "http://127.0.0.1:" + listening.getLocalPort() + "/";
        String body = "x".repeat(HttpJob.BODY_BYTES_MAX);
        assertThat(bench.failure(new HttpJob(null, url, null, body, null, null, null, null, null, null)))
                .hasMessageContaining("got 413");
        done.get(120, TimeUnit.SECONDS);
    }
}
