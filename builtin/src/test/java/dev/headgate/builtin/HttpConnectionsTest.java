package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connection a call goes over, and what becomes of one that fails. */
class HttpConnectionsTest {
    private ServerSocket listening;
    private Bench<HttpJob> bench;

    private interface Talk {
        void with(ServerSocket server) throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        HostRules.Resolver names = host -> new InetAddress[] {
            // Nothing listens at the first one.
            InetAddress.getByName(host.equals("two.test") ? "127.0.0.2" : "127.0.0.1"), InetAddress.getLoopbackAddress()
        };
        HostRules rules = new HostRules(List.of("*.test"), List.of("127.0.0.0/8"), names);
        bench = new Bench<>(HttpJob.TYPE, new HttpCalls(rules, HeaderVariables.NONE));
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
        listening.close();
    }

    private CompletableFuture<Void> serve(Talk talk) {
        return CompletableFuture.runAsync(() -> {
            try {
                talk.with(listening);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
    }

    private static String readHead(Socket caller) throws IOException {
        InputStream in = caller.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("expected a request, got " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void send(Socket caller, String... lines) throws IOException {
        caller.getOutputStream().write(String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8));
        caller.getOutputStream().flush();
    }

    private static void answer(Socket caller, String body) throws IOException {
        readHead(caller);
        send(caller, "HTTP/1.1 200 OK", "Content-Length: " + body.length(), "", body);
    }

    private HttpJob call(String method, String host) {
        return call(method, "http", host, "30s");
    }

    private HttpJob call(String method, String scheme, String host, String timeout) {
        String url = "%s://%s:%d/".formatted(scheme, host, listening.getLocalPort());
        return new HttpJob(method, url, null, null, null, timeout, null, null, null, null);
    }

    private String body(String host) throws InterruptedException {
        return bench.result(call("GET", host), HttpAnswer.class).body();
    }

    @Test
    void anAnswerWithoutABodyLeavesTheConnectionForTheNextCall() throws Exception {
        CompletableFuture<Void> served = serve(server -> {
            try (Socket caller = server.accept()) {
                assertThat(readHead(caller)).startsWith("HEAD ");
                send(caller, "HTTP/1.1 200 OK", "Content-Length: 1000", "", "");
                readHead(caller);
                send(caller, "HTTP/1.1 204 No Content", "", "");
                answer(caller, "third");
            }
        });
        assertThat(bench.result(call("HEAD", "one.test"), HttpAnswer.class).status())
                .isEqualTo(200);
        assertThat(bench.result(call("GET", "one.test"), HttpAnswer.class).status())
                .isEqualTo(204);
        assertThat(body("one.test")).isEqualTo("third");
        served.get(120, TimeUnit.SECONDS);
    }

    /** Servers say so before they hang up on a connection that nothing comes over. */
    @Test
    void whatAServerSaysUnaskedIsNotTakenForAnAnswer() throws Exception {
        CompletableFuture<Void> served = serve(server -> {
            try (Socket caller = server.accept()) {
                readHead(caller);
                send(caller, "HTTP/1.1 200 OK", "Content-Length: 1", "", "1HTTP/1.1 408 Request Timeout", "", "");
                try (Socket next = server.accept()) {
                    answer(next, "2");
                }
            }
        });
        assertThat(body("one.test")).isEqualTo("1");
        assertThat(body("one.test")).isEqualTo("2");
        served.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionIsForOneHostEvenIfAnotherHasTheSameAddress() throws Exception {
        CompletableFuture<Void> served = serve(server -> {
            try (Socket first = server.accept()) {
                answer(first, "1");
                try (Socket second = server.accept()) {
                    answer(second, "2");
                }
            }
        });
        assertThat(body("one.test")).isEqualTo("1");
        assertThat(body("other.test")).isEqualTo("2");
        served.get(120, TimeUnit.SECONDS);
    }

    /** Whether it has done what it was asked for is not known, so the retry policy of the job decides. */
    @Test
    void aServerThatHangsUpOnASecondRequestFailsTheAttempt() throws Exception {
        CompletableFuture<Void> served = serve(server -> {
            try (Socket caller = server.accept()) {
                answer(caller, "1");
                readHead(caller);
            }
        });
        assertThat(body("one.test")).isEqualTo("1");
        assertThat(bench.failure(call("POST", "one.test")))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("expected an answer, got none");
        served.get(120, TimeUnit.SECONDS);
    }

    @Test
    void theNextAddressIsTriedIfOneCannotBeReached() throws Exception {
        CompletableFuture<Void> served = serve(server -> {
            try (Socket caller = server.accept()) {
                answer(caller, "reached");
            }
        });
        assertThat(body("two.test")).isEqualTo("reached");
        served.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aHandshakeThatNeverEndsIsGivenUp() throws Exception {
        CompletableFuture<Void> hungUp = serve(server -> {
            try (Socket caller = server.accept()) {
                caller.getInputStream().readAllBytes();
            }
        });
        assertThat(bench.failure(call("GET", "https", "one.test", "200ms"))).isInstanceOf(HttpTimeoutException.class);
        hungUp.get(120, TimeUnit.SECONDS);
    }

    @Test
    void aJobThatIsCancelledInAHandshakeHangsUp() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CompletableFuture<Void> hungUp = serve(server -> {
            try (Socket caller = server.accept()) {
                assertThat(caller.getInputStream().read()).isNotNegative();
                called.countDown();
                caller.getInputStream().readAllBytes();
            }
        });
        JobId id = bench.start(call("GET", "https", "one.test", "1h"));
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        bench.cancel(id);
        assertThat(bench.end(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(bench.thrown()).isInstanceOf(InterruptedException.class);
        hungUp.get(120, TimeUnit.SECONDS);
    }

    /** A proxy would look the name up itself. */
    @Test
    void noProxyIsUsed() throws Exception {
        ProxySelector usual = ProxySelector.getDefault();
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return List.of(new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException fault) {}
        });
        try {
            CompletableFuture<Void> served = serve(server -> {
                try (Socket caller = server.accept()) {
                    assertThat(readHead(caller)).startsWith("GET / HTTP/1.1\r\nHost: one.test:");
                    send(caller, "HTTP/1.1 200 OK", "Content-Length: 6", "", "direct");
                }
            });
            assertThat(body("one.test")).isEqualTo("direct");
            served.get(120, TimeUnit.SECONDS);
        } finally {
            ProxySelector.setDefault(usual);
        }
    }
}
