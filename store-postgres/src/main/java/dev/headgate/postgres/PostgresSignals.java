package dev.headgate.postgres;

import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Ticker;
import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Loop;
import dev.headgate.jdbc.Session;
import dev.headgate.postgres.PostgresConnections.Lent;
import dev.headgate.spi.Wake;
import dev.headgate.store.Store.ListenCheck;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes between processes by LISTEN and NOTIFY: a hint only, outside every claim. Commits that carry a notification queue
 * up behind one lock of the whole server, so they are coalesced: an enqueue carries its own if none was sent for a few
 * milliseconds, and what comes sooner is sent apart, together.
 */
final class PostgresSignals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSignals.class);
    private static final String CHANNEL = "headgate_wake";

    /** A hint that a crash of the server may lose need not wait for its disk. All of them in one statement and one commit. */
    private static final String SEND_HINTS =
            "select set_config('synchronous_commit', 'off', true), pg_notify(?, message) from unnest(?) as m (message)";

    private static final String ANNOUNCE = "select pg_notify(:channel::text, :message::text)";

    /** Stands behind the last wake-up, and is not sent. No queue has this name. */
    private static final Wake END = new Wake.Queue("");

    private static final long COALESCE_NANOS = 3_000_000;
    private static final int LISTEN_MILLIS = 5_000;
    private static final int ANSWER_SECONDS = 5;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);
    private static final int LOSSES_PER_WARNING = 60;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PostgresConnections connections;
    private final ListenSource place;
    private final Listeners listeners;
    /** Random: two containers that run the same program agree in everything else, from the process number to identity hashes. */
    private final String me = Chance.SYSTEM.id();

    private final BlockingQueue<Wake> outgoing = new LinkedBlockingQueue<>(10_000);
    private final Ticker ticker = Ticker.SYSTEM;
    private final AtomicLong sentNanos = new AtomicLong(ticker.nanos() - COALESCE_NANOS);
    private final AtomicLong tests = new AtomicLong();
    private final Loop sending;
    private @Nullable Loop listening;
    private volatile @Nullable Connection ear;
    private int losses;

    PostgresSignals(PostgresConnections connections, ListenSource place, Listeners listeners) {
        this.connections = connections;
        this.place = place;
        this.listeners = listeners;
        this.sending = Loop.start("headgate-postgres-notify", this::send);
    }

    /** Whether a commit may carry this: it has the news out one trip earlier. */
    boolean announce(Session session, Set<Wake> wakes) {
        long now = ticker.nanos();
        long before = sentNanos.get();
        boolean isQuiet = wakes.size() == 1 && now - before >= COALESCE_NANOS && sentNanos.compareAndSet(before, now);
        for (Wake wake : isQuiet ? wakes : Set.<Wake>of()) {
            session.later("announce", ANNOUNCE, Map.of("channel", CHANNEL, "message", message(me, wake)));
        }
        return isQuiet;
    }

    /** In a caller's transaction: PostgreSQL sends it when the caller commits, and not at all if it does not. */
    static boolean announceWithCommit(Session session, Set<Wake> wakes) {
        for (Wake wake : wakes) {
            session.later("announce", ANNOUNCE, Map.of("channel", CHANNEL, "message", message("", wake)));
        }
        return true;
    }

    /** A full queue drops the hint: a worker that misses it finds the work at its next look. */
    void publish(Set<Wake> wakes) {
        wakes.forEach(outgoing::offer);
    }

    synchronized void listen() {
        if (listening == null) {
            listening = Loop.start("headgate-postgres-listen", this::receive);
        }
    }

    private boolean send() {
        try {
            Set<Wake> wakes = new HashSet<>();
            wakes.add(outgoing.take());
            if (sending.isOpen()) {
                LockSupport.parkNanos(this, sentNanos.get() + COALESCE_NANOS - ticker.nanos());
            }
            sendWith(wakes);
            return sending.isOpen();
        } catch (InterruptedException stopped) {
            return false;
        } catch (SQLException failed) {
            LOG.debug("PostgreSQL: a wake-up was not sent; other workers find the work at their next look", failed);
            LockSupport.parkNanos(this, RETRY_NANOS);
            return sending.isOpen();
        }
    }

    /** Sends these and what else waits, in one go. */
    private void sendWith(Set<Wake> wakes) throws SQLException {
        outgoing.drainTo(wakes);
        wakes.remove(END);
        if (wakes.isEmpty()) {
            return;
        }
        sentNanos.set(ticker.nanos());
        try (Lent lent = connections.take()) {
            lent.connection().setAutoCommit(true);
            send(
                    lent.connection(),
                    wakes.stream().map(wake -> message(me, wake)).toList());
        }
    }

    private void sendAtOnce(String message) throws SQLException {
        try (Lent lent = connections.take()) {
            lent.connection().setAutoCommit(true);
            send(lent.connection(), List.of(message));
        }
    }

    private static void send(Connection connection, List<String> messages) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SEND_HINTS)) {
            statement.setString(1, CHANNEL);
            statement.setObject(2, messages.toArray(String[]::new));
            statement.execute();
        }
    }

    private boolean receive() {
        if (!place.isElsewhere() && connections.isPooled()) {
            LOG.warn("PostgreSQL: {}", ListenSource.NOT_THROUGH_A_POOLER);
            return false;
        }
        try (Connection connection = place.connect()) {
            ear = connection;
            boolean isPooled = PostgresConnections.isPooled(connection);
            if (isPooled && !place.keepsSessions(connection)) {
                LOG.warn("PostgreSQL: {}", place.whyDeaf(true));
                return false;
            }
            tell(connection, "listen");
            if (place.isElsewhere() && !hearsOthers(connection)) {
                LOG.warn("PostgreSQL: {}", place.whyDeaf(isPooled));
                if (isPooled) {
                    tell(connection, "unlisten");
                    return false;
                }
            }
            losses = 0;
            // What happened before this connection listened may have been for this process.
            listeners.tell(new Wake.Anything());
            hear(connection);
            tell(connection, "unlisten");
        } catch (SQLException failed) {
            if (isListening()) {
                if (losses++ % LOSSES_PER_WARNING == 0) {
                    LOG.warn(
                            "PostgreSQL: the listening connection was lost; listening again in a second: {}",
                            failed.getMessage());
                }
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
        return isListening();
    }

    private static void tell(Connection connection, String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command + " " + CHANNEL);
        }
    }

    /** Whether a connection that listens hears what the store's connections send. */
    private boolean hearsOthers(Connection connection) throws SQLException {
        String word = "test-%s-%d".formatted(me, tests.incrementAndGet()); // without the bar, so others ignore it
        sendAtOnce(word);
        PGConnection postgres = connection.unwrap(PGConnection.class);
        long until = ticker.nanos() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        long left = until - ticker.nanos();
        while (left > 0) {
            int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
            PGNotification[] heard = postgres.getNotifications(millis);
            if (heard != null && Arrays.stream(heard).anyMatch(each -> word.equals(each.getParameter()))) {
                return true;
            }
            left = until - ticker.nanos();
        }
        return false;
    }

    /** Listens for a moment on a connection of its own, and sends itself a notification. */
    ListenCheck check() {
        if (!place.isElsewhere() && connections.isPooled()) {
            return ListenCheck.off(ListenSource.NOT_THROUGH_A_POOLER);
        }
        try (Connection connection = place.connect()) {
            boolean isPooled = PostgresConnections.isPooled(connection);
            if (isPooled && !place.keepsSessions(connection)) {
                return ListenCheck.broken(place.whyDeaf(true));
            }
            tell(connection, "listen");
            long start = ticker.nanos();
            boolean isHeard = hearsOthers(connection);
            long millis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - start);
            tell(connection, "unlisten");
            return isHeard
                    ? ListenCheck.works(
                            "a notification of this process to itself was heard within %d ms".formatted(millis + 1))
                    : ListenCheck.broken(place.whyDeaf(isPooled));
        } catch (SQLException failed) {
            return ListenCheck.broken("expected a connection to listen on, got none: " + failed.getMessage());
        }
    }

    private void hear(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (isListening()) {
            PGNotification[] heard = postgres.getNotifications(LISTEN_MILLIS);
            if (heard == null || heard.length == 0) {
                ask(connection);
                continue;
            }
            Set<Wake> wakes = new HashSet<>();
            for (PGNotification notification : heard) {
                String text = notification.getParameter();
                int bar = text.indexOf('|');
                if (bar >= 0 && !text.substring(0, bar).equals(me)) {
                    wakes.add(decode(text.substring(bar + 1)));
                }
            }
            wakes.forEach(listeners::tell);
        }
    }

    /** A connection that only listens does not notice that the server is gone. */
    private static void ask(Connection connection) throws SQLException {
        if (!connection.isValid(ANSWER_SECONDS)) {
            connection.abort(Runnable::run);
            throw new SQLException("no answer within %d seconds".formatted(ANSWER_SECONDS));
        }
    }

    private synchronized boolean isListening() {
        return listening == null || listening.isOpen();
    }

    private static String message(String sender, Wake wake) {
        return sender + "|" + encode(wake);
    }

    private static String encode(Wake wake) {
        return switch (wake) {
            case Wake.Queue queue -> "q" + queue.name();
            case Wake.Coming coming -> "q" + coming.queue();
            case Wake.Cancel cancel -> "c";
            case Wake.Anything anything -> "a";
        };
    }

    private static Wake decode(String text) {
        return switch (text.isEmpty() ? 'a' : text.charAt(0)) {
            case 'q' -> new Wake.Queue(text.substring(1));
            case 'c' -> new Wake.Cancel();
            default -> new Wake.Anything();
        };
    }

    @Override
    public void close() {
        // Not by an interrupt: in the middle of a statement it would break the connection.
        if (sending.stop(Duration.ZERO) || endSending()) {
            sendRest();
        }
        Loop loop = loop();
        if (loop != null && !loop.stop(Duration.ZERO)) {
            ring();
            if (!loop.stop(CLOSE_WITHIN)) {
                hangUp();
            }
        }
    }

    private boolean endSending() {
        publish(Set.of(END));
        return sending.stop(CLOSE_WITHIN);
    }

    /** A command ends right behind its enqueue, and others would hear of that at their next look only. */
    private void sendRest() {
        try {
            sendWith(new HashSet<>());
        } catch (SQLException failed) {
            LOG.debug(
                    "PostgreSQL: the last wake-ups were not sent; other workers find the work at their next look",
                    failed);
        }
    }

    private synchronized @Nullable Loop loop() {
        return listening;
    }

    /** The listening thread waits in the driver, where no interrupt reaches it; a notification does. */
    private void ring() {
        try {
            sendAtOnce(message(me, new Wake.Anything()));
        } catch (SQLException failed) {
            LOG.debug("PostgreSQL: could not ring the listening connection; it is closed instead", failed);
        }
    }

    private void hangUp() {
        Connection open = ear;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException alreadyClosed) {
                LOG.debug("PostgreSQL: the listening connection was closed already", alreadyClosed);
            }
        }
    }
}
