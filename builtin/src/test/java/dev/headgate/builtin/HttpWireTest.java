package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryLater.When;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.IOException;
import java.io.InputStream;
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
}
