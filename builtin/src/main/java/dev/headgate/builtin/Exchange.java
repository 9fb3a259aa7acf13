package dev.headgate.builtin;

import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.Spans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, in the time that the job has for them. The connection is opened first, so that the
 * request is sent as soon as the job may depart. Waiting outside of these methods does not count.
 */
final class Exchange implements AutoCloseable {
    /** A server may close a connection that stays unused for longer. */
    private static final Duration UNUSED_MAX = Duration.ofSeconds(1);

    private final Connections connections;
    private final HttpJob call;
    private final List<InetAddress> addresses;
    private final Redaction secrets;
    private Duration left;
    private @Nullable HttpConnection connection;
    private long openedNanos;
    private @Nullable IOException unsent;

    private interface Step {
        void run(Deadline deadline) throws IOException;
    }

    /** @param addresses the checked addresses of its host */
    Exchange(Connections connections, HttpJob call, List<InetAddress> addresses, Redaction secrets) {
        this.connections = connections;
        this.call = call;
        this.addresses = addresses;
        this.secrets = secrets;
        this.left = call.patience();
    }

    void open() throws IOException, InterruptedException {
        close();
        within(deadline -> {
            connection = connections.open(Origin.of(call.uri()), addresses, deadline);
        });
        openedNanos = Ticker.SYSTEM.nanos();
    }

    /** Sends the request, over another connection if this one has waited for long. */
    void send(Map<String, String> fields) throws IOException, InterruptedException {
        if (Ticker.SYSTEM.nanos() - openedNanos > UNUSED_MAX.toNanos()) {
            open();
        }
        HttpConnection open = opened();
        byte[] request = RequestWriter.write(call, fields);
        within(deadline -> {
            deadline.guard(open.channel());
            try {
                open.send(request);
            } catch (IOException refused) {
                if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
                    throw refused;
                }
                // A server may answer and hang up before it has read a long body.
                unsent = refused;
            }
        });
    }

    /** @param bytesMax how much of the body to keep */
    Response receive(int bytesMax) throws IOException, InterruptedException {
        HttpConnection open = opened();
        AtomicReference<Response> received = new AtomicReference<>();
        within(deadline -> {
            deadline.guard(open.channel());
            try {
                received.set(open.receive(call.verb().equals("HEAD"), bytesMax));
            } catch (IOException silent) {
                throw unsent == null ? silent : unsent;
            }
        });
        Response response = received.get();
        if (response.isReusable() && unsent == null) {
            connection = null;
            connections.keep(open);
        }
        return response;
    }

    private HttpConnection opened() {
        HttpConnection open = connection;
        if (open == null) {
            throw new IllegalStateException("expected an open connection, got none");
        }
        return open;
    }

    private void within(Step step) throws IOException, InterruptedException {
        Deadline deadline = new Deadline(left);
        try (deadline) {
            step.run(deadline);
        } catch (IOException fault) {
            if (Thread.interrupted()) {
                throw new InterruptedException("%s: interrupted".formatted(call));
            }
            if (deadline.isOver() || fault instanceof SocketTimeoutException) {
                throw new HttpTimeoutException("%s: expected the whole answer within %s, got less"
                        .formatted(call, Spans.text(call.patience())));
            }
            // Without its cause, whose message would be stored beside this one as it is.
            throw new IOException(
                    "%s: expected an answer, got none: %s".formatted(call, secrets.hide(fault.toString())));
        } finally {
            left = deadline.left();
        }
    }

    /** Hangs up, unless the connection is kept for another call. */
    @Override
    public void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
