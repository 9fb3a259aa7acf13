package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection goes to an address; the name decides which server it must be. */
class HttpTlsTest {
    private static final String NAME = "api.pinned.test";
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    static Path folder;

    private final AtomicInteger calls = new AtomicInteger();
    private final Set<InetSocketAddress> callers = ConcurrentHashMap.newKeySet();
    private HttpsServer server;
    private SSLContext context;

    @BeforeEach
    void open() throws Exception {
        context = context();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            try (exchange) {
                calls.incrementAndGet();
                callers.add(exchange.getRemoteAddress());
                var session = (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
                byte[] said = "%s %s"
                        .formatted(
                                session.getRequestedServerNames(),
                                exchange.getRequestHeaders().getFirst("Host"))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, said.length);
                exchange.getResponseBody().write(said);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    /** A certificate for {@link #NAME} and 127.0.0.1, which server and client share. */
    private static SSLContext context() throws Exception {
        Path file = folder.resolve("keys.p12");
        if (!Files.exists(file)) {
            List<String> command = new ArrayList<>();
            command.add(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            command.addAll(Arrays.asList(
                    "-genkeypair -alias key -keyalg EC -groupname secp256r1 -storetype PKCS12 -validity 2".split(" ")));
            command.addAll(List.of("-dname", "CN=test", "-ext", "SAN=dns:%s,ip:127.0.0.1".formatted(NAME)));
            command.addAll(List.of("-keystore", file.toString(), "-storepass", new String(PASSWORD)));
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("key", keys.getCertificate("key"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private Bench<HttpJob> bench(SSLContext trusting) {
        HostRules.Resolver thisMachine = host -> new InetAddress[] {InetAddress.getLoopbackAddress()};
        HostRules rules = new HostRules(List.of("*"), List.of("127.0.0.0/8"), thisMachine);
        return new Bench<>(HttpJob.TYPE, new HttpCalls(rules, HeaderVariables.NONE, trusting::getSocketFactory));
    }

    private HttpJob call(String host) {
        return HttpJob.get("https://%s:%d/".formatted(host, server.getAddress().getPort()));
    }

    @Test
    void theServerIsAskedForByNameAndProvesIt() throws Exception {
        try (Bench<HttpJob> bench = bench(context)) {
            int port = server.getAddress().getPort();
            for (int i = 0; i < 2; i++) {
                assertThat(bench.result(call(NAME), HttpAnswer.class).body())
                        .isEqualTo("[type=host_name (0), value=%s] %s:%d".formatted(NAME, NAME, port));
            }
            assertThat(bench.result(call("127.0.0.1"), HttpAnswer.class).body()).isEqualTo("[] 127.0.0.1:" + port);
        }
    }

    /** What the server says of the session comes before its first answer, and is not taken for something unasked. */
    @Test
    void aConnectionIsUsedAgain() throws Exception {
        try (Bench<HttpJob> bench = bench(context)) {
            for (int i = 0; i < 3; i++) {
                bench.result(call(NAME), HttpAnswer.class);
            }
        }
        assertThat(calls).hasValue(3);
        assertThat(callers).hasSize(1);
    }

    @Test
    void aServerThatProvesAnotherNameIsNotSentTheRequest() throws Exception {
        try (Bench<HttpJob> bench = bench(context)) {
            assertThat(bench.failure(call("other.pinned.test")))
                    .hasMessageContaining("expected an answer, got none")
                    .hasMessageContaining("other.pinned.test");
        }
        assertThat(calls).hasValue(0);
    }

    @Test
    void norOneWhoseCertificateNobodySigned() throws Exception {
        try (Bench<HttpJob> bench = bench(SSLContext.getDefault())) {
            assertThat(bench.failure(call(NAME))).hasMessageContaining("expected an answer, got none");
        }
        assertThat(calls).hasValue(0);
    }
}
