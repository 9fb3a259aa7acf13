package dev.headgate.server.jetty;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Cuts connections off whose next request does not come whole: each byte that trickles in would keep an idle timeout from ending
 * them. A connection has this long for the headers of a request, from its opening or the end of its last response.
 */
final class SlowSenders implements Connection.Listener {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LOOKED_EACH = Duration.ofSeconds(2);

    private final Map<EndPoint, Long> waitingSince = new ConcurrentHashMap<>();
    private final Scheduler scheduler;

    SlowSenders(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void start() {
        scheduler.schedule(this::look, LOOKED_EACH.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void onOpened(Connection connection) {
        waitingSince.put(connection.getEndPoint(), System.nanoTime());
    }

    @Override
    public void onClosed(Connection connection) {
        waitingSince.remove(connection.getEndPoint());
    }

    /** The headers of a request are there. */
    void begun(EndPoint endPoint) {
        waitingSince.remove(endPoint);
    }

    /** Its response was sent; the next request may come. */
    void ended(EndPoint endPoint) {
        if (endPoint.isOpen()) {
            waitingSince.put(endPoint, System.nanoTime());
        }
    }

    private void look() {
        long now = System.nanoTime();
        waitingSince.forEach((endPoint, since) -> {
            if (now - since > PATIENCE.toNanos()) {
                waitingSince.remove(endPoint);
                endPoint.close();
            }
        });
        start();
    }
}
