package dev.headgate.server.jetty;

import dev.headgate.server.api.Problems;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Request;
import dev.headgate.server.http.Response;
import dev.headgate.server.http.SafeHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty with everything bounded: headers, connections, how slowly a client may send and read. */
public final class JettyServer {
    private static final int HEADERS_MAX = 16 * 1024;
    private static final int CONNECTIONS_MAX = 4_000;
    private static final int THREADS_MAX = 16;
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration STOPPING = Duration.ofSeconds(5);

    private final Server server;
    private final ServerConnector connector;

    private JettyServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts to listen.
     *
     * @param port 0 for any that is free
     */
    public static JettyServer start(Function<Request, Response> site, String address, int port) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX, 4);
        threads.setName("headgate-http");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        Server server = new Server(threads);
        server.setStopTimeout(STOPPING.toMillis());
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration()));
        connector.setHost(address);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE.toMillis());
        SlowSenders slow = new SlowSenders(server.getScheduler());
        connector.addBean(slow);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(CONNECTIONS_MAX, server));
        server.setHandler(new Timed(slow, new SiteHandler(site)));
        server.setErrorHandler(JettyServer::refuse);
        try {
            server.start();
        } catch (IOException taken) {
            stop(server);
            throw new IllegalStateException(
                    "serve: expected to listen on %s, port %d, and could not: %s"
                            .formatted(address, port, taken.getMessage()),
                    taken);
        } catch (Exception failed) {
            stop(server);
            throw new IllegalStateException("serve: the HTTP server did not start", failed);
        }
        slow.start();
        return new JettyServer(server, connector);
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendXPoweredBy(false);
        configuration.setRequestHeaderSize(HEADERS_MAX);
        // Paths are matched as they were sent and decoded part by part, so no part can pretend to be two. Names may
        // have any character:
        // a gate may be called site:https://a.example, or even '..'.
        configuration.setUriCompliance(UriCompliance.RFC3986.with(
                "names",
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT));
        return configuration;
    }

    /** What Jetty refuses by itself is a problem like all others. */
    private static boolean refuse(
            org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback callback) {
        int status = response.getStatus();
        Problem problem =
                switch (status) {
                    case 413 -> Problem.TOO_LARGE;
                    case 414, 431 -> Problem.HEADERS_TOO_LARGE;
                    case 404 -> Problem.NO_SUCH_ROUTE;
                    default -> status >= 500 ? Problem.INTERNAL : Problem.BAD_REQUEST;
                };
        ProblemException wrong = new ProblemException(problem, "the request was refused before it was read as a whole");
        SiteHandler.send(SafeHeaders.on(Problems.response(wrong)), request, response, callback);
        return true;
    }

    /** Tells when a request is there and when its response is sent. */
    private static final class Timed extends Handler.Wrapper {
        private final SlowSenders slow;

        Timed(SlowSenders slow, Handler handler) {
            super(handler);
            this.slow = slow;
        }

        @Override
        public boolean handle(
                org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback callback)
                throws Exception {
            EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
            slow.begun(endPoint);
            org.eclipse.jetty.server.Request.addCompletionListener(request, failure -> slow.ended(endPoint));
            return super.handle(request, response, callback);
        }
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Takes no more requests and lets those that are under way end. */
    public void stop() {
        stop(server);
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("serve: the HTTP server did not stop in good order", failed);
        }
    }
}
