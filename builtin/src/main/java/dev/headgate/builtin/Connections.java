package dev.headgate.builtin;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/** Opens connections, and keeps those that can be used again for a moment. Thread-safe. */
final class Connections {
    /**
     * Less than servers usually wait for the next request: a request that crosses the server's close fails its job's
     * attempt.
     */
    static final Duration IDLE_MAX = Duration.ofMillis(1_500);

    private static final int IDLE_CONNECTIONS_MAX = 64;

    /** The one that was used last comes first. */
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

    private final Supplier<SSLSocketFactory> tls;
    private final Executor later;

    /** One stay of a connection: if it is used again and comes back, that is another. */
    private static final class Idle {
        private final HttpConnection connection;

        private Idle(HttpConnection connection) {
            this.connection = connection;
        }
    }

    Connections(Supplier<SSLSocketFactory> tls) {
        this(tls, CompletableFuture.delayedExecutor(IDLE_MAX.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** @param later does what it is given after {@link #IDLE_MAX} */
    Connections(Supplier<SSLSocketFactory> tls, Executor later) {
        this.tls = tls;
        this.later = later;
    }

    /** Connects to one of these addresses, which were checked. */
    HttpConnection open(Origin origin, List<InetAddress> addresses, Deadline deadline) throws IOException {
        for (Idle kept : List.copyOf(idle)) {
            HttpConnection connection = kept.connection;
            if (connection.leadsTo(origin, addresses) && idle.remove(kept)) {
                deadline.guard(connection.channel());
                if (connection.isQuiet()) {
                    return connection;
                }
                connection.close();
            }
        }
        IOException failure = new ConnectException("there is no address");
        for (int i = 0; i < addresses.size() && !deadline.isOver(); i++) {
            try {
                long share = deadline.left().toMillis() / (addresses.size() - i);
                int millis = (int) Math.max(1, Math.min(share, Integer.MAX_VALUE));
                return HttpConnection.open(origin, addresses.get(i), tls, millis, deadline);
            } catch (IOException unreachable) {
                failure = unreachable;
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
        }
        throw failure;
    }

    /** Keeps it for the next call to the same place, if that comes soon. */
    void keep(HttpConnection used) {
        if (idle.size() >= IDLE_CONNECTIONS_MAX) {
            used.close();
            return;
        }
        Idle stay = new Idle(used);
        idle.addFirst(stay);
        later.execute(() -> {
            if (idle.remove(stay)) {
                used.close();
            }
        });
    }
}
