package dev.headgate.server;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.server.access.Gatekeeper;
import dev.headgate.server.jetty.JettyServer;
import dev.headgate.server.route.LiveState;
import dev.headgate.server.token.Tokens;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Serves the HTTP API of one store, as {@code headgate serve} does. Every request needs a token of the store, on loopback,
 * too; see {@link Tokens}.
 *
 * <pre>{@code
 * try (HeadgateServer server = HeadgateServer.of(headgate).port(8080).start()) {
 *     System.out.println(server.url());
 * }
 * }</pre>
 */
public final class HeadgateServer implements AutoCloseable {
    /** No job waits here. The worker that serves it does what has to be done for all queues: it takes back what dead workers held. */
    static final String KEEPER_QUEUE = "headgate:serve";

    private final JettyServer server;
    private final LiveState live;
    private final Worker keeper;
    private final String url;

    private HeadgateServer(JettyServer server, LiveState live, Worker keeper, String url) {
        this.server = server;
        this.live = live;
        this.keeper = keeper;
        this.url = url;
    }

    /** A server for this store, not yet started. It does not close the store. */
    public static Builder of(Headgate headgate) {
        return new Builder(headgate);
    }

    /** Where the server answers, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return url;
    }

    public int port() {
        return server.port();
    }

    /** Takes no more requests, lets those that are under way end for up to five seconds, and stops. */
    @Override
    public void close() {
        live.close(); // requests that wait for work end at once
        server.stop();
        keeper.stop();
    }

    /** How the server is to be. */
    public static final class Builder {
        private static final int PORT_MAX = 65_535;

        private final Headgate headgate;
        private final Set<String> hosts = new LinkedHashSet<>();
        private String address = "127.0.0.1";
        private int port;
        private String basePath = "";
        private boolean isBehindTls;

        private Builder(Headgate headgate) {
            this.headgate = headgate;
        }

        /** The address to listen on. Default: {@code 127.0.0.1}, which only programs on this machine reach. */
        public Builder address(String ipOrName) {
            this.address = ipOrName;
            return this;
        }

        /** The port to listen on; 0 for any that is free. Default: 0. */
        public Builder port(int number) {
            if (number < 0 || number > PORT_MAX) {
                throw new IllegalArgumentException("port: expected 0 to %d, got %d".formatted(PORT_MAX, number));
            }
            this.port = number;
            return this;
        }

        /** What a proxy in front puts before every path, such as {@code /headgate}. Default: nothing. */
        public Builder basePath(String path) {
            String plain = path.equals("/") ? "" : path;
            if (!plain.matches("(/[A-Za-z0-9._~-]+)*")) {
                throw new IllegalArgumentException(
                        "base path: expected a path such as /headgate, without / at its end, got '%s'".formatted(path));
            }
            this.basePath = plain;
            return this;
        }

        /** Answers requests for this host, too, without a port. Default: the names of loopback only. */
        public Builder allowHost(String name) {
            if (!name.matches("[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]")) {
                throw new IllegalArgumentException(
                        "host: expected a name such as jobs.example.com, without a port, got '%s'".formatted(name));
            }
            hosts.add(name);
            return this;
        }

        /**
         * States that something in front ends TLS, and that only it reaches the address. Without this the server listens on
         * loopback only, because a token that is sent in clear is everybody's.
         */
        public Builder behindTls() {
            this.isBehindTls = true;
            return this;
        }

        /** Starts to listen. */
        public HeadgateServer start() {
            InetAddress resolved = resolve(address);
            if (!resolved.isLoopbackAddress() && !isBehindTls) {
                throw new IllegalArgumentException(
                        "address: expected a loopback address such as 127.0.0.1, got %s; state that TLS ends in front of the server (behindTls, --behind-tls) to listen there"
                                .formatted(address));
            }
            Tokens tokens = Tokens.of(headgate);
            if (!resolved.isLoopbackAddress() && tokens.list().isEmpty()) {
                throw new IllegalArgumentException(
                        "address: expected tokens in the store before it is served to others on %s, found none; make one with 'headgate token create'"
                                .formatted(address));
            }
            Set<String> named = new LinkedHashSet<>(hosts);
            if (resolved.isLoopbackAddress()) {
                named.add(address);
            }
            LiveState live = LiveState.of(headgate);
            Site site = new Site(headgate, live, new Gatekeeper(tokens, named, System::nanoTime), basePath);
            JettyServer server = JettyServer.start(site::answer, resolved.getHostAddress(), port);
            Worker keeper = headgate.worker(KEEPER_QUEUE).name("serve").slots(1).start();
            String host = resolved.getHostAddress().contains(":")
                    ? "[" + resolved.getHostAddress() + "]"
                    : resolved.getHostAddress();
            return new HeadgateServer(server, live, keeper, "http://%s:%d%s".formatted(host, server.port(), basePath));
        }

        private static InetAddress resolve(String address) {
            try {
                return InetAddress.getByName(address);
            } catch (UnknownHostException unknown) {
                throw new IllegalArgumentException(
                        "address: expected one of this machine, such as 127.0.0.1, got '%s'".formatted(address),
                        unknown);
            }
        }
    }
}
