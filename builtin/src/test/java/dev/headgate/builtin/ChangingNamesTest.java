package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.headgate.handler.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host that changes its address between the check and the call: real look-ups, and a real server at each address. */
class ChangingNamesTest {
    private static final String ALLOWED = "127.0.0.1";
    private static final String FORBIDDEN = "127.0.0.2";

    private final AtomicInteger forbiddenCalls = new AtomicInteger();
    private HttpServer allowed;
    private HttpServer forbidden;

    @BeforeEach
    void open() throws IOException {
        allowed = serve(ALLOWED, 0, new AtomicInteger());
        try {
            forbidden = serve(FORBIDDEN, allowed.getAddress().getPort(), forbiddenCalls);
        } catch (IOException noSuchAddress) {
            assumeTrue(false, "skipped: expected a loopback interface with the address " + FORBIDDEN);
        }
    }

    private static HttpServer serve(String address, int port, AtomicInteger calls) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                calls.incrementAndGet();
                byte[] said = (address + " for " + exchange.getRequestHeaders().getFirst("Host"))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, said.length);
                exchange.getResponseBody().write(said);
            }
        });
        server.start();
        return server;
    }

    @AfterEach
    void close() {
        allowed.stop(0);
        if (forbidden != null) {
            forbidden.stop(0);
        }
    }

    private static Bench<HttpJob> bench() {
        HostRules rules = HostRules.of(List.of("*.changing.test"), List.of(ALLOWED + "/32"));
        return new Bench<>(HttpJob.TYPE, new HttpCalls(rules));
    }

    private HttpJob call(String host) {
        return HttpJob.get("http://%s:%d/".formatted(host, allowed.getAddress().getPort()));
    }

    @Test
    void theAddressThatWasCheckedIsTheOneThatIsCalled() throws Exception {
        ChangingNames.answer("one.changing.test", ALLOWED, FORBIDDEN);
        try (Bench<HttpJob> bench = bench()) {
            HttpAnswer answer = bench.result(call("one.changing.test"), HttpAnswer.class);
            assertThat(answer.body())
                    .isEqualTo(ALLOWED + " for one.changing.test:"
                            + allowed.getAddress().getPort());
        }
        assertThat(forbiddenCalls).hasValue(0);
        assertThat(ChangingNames.left("one.changing.test"))
                .as("look-ups that were not made")
                .isEqualTo(1);
    }

    @Test
    void anAddressThatIsNotAllowedIsNotCalledThoughAnotherCallLeftAConnectionBehind() throws Exception {
        ChangingNames.answer("two.changing.test", ALLOWED, FORBIDDEN, ALLOWED);
        try (Bench<HttpJob> bench = bench()) {
            bench.result(call("two.changing.test"), HttpAnswer.class);
            assertThat(bench.failure(call("two.changing.test")))
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("expected public addresses, got one that is not")
                    .hasMessageNotContaining(FORBIDDEN);
            bench.result(call("two.changing.test"), HttpAnswer.class);
        }
        assertThat(forbiddenCalls).hasValue(0);
    }

    @Test
    void aNameThatNobodyKnowsMayPass() throws Exception {
        try (Bench<HttpJob> bench = bench()) {
            assertThat(bench.failure(call("three.changing.test"))).isInstanceOf(UnknownHostException.class);
        }
    }
}
