package dev.headgate.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between PostgreSQL and its clients, at an address that never changes, and spoils what passes: cuts connections,
 * delays them, lets them fall silent, swallows the answer to a commit. Thread-safe.
 */
final class Proxy implements AutoCloseable {
    private final ServerSocket door;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger commitsToSwallow = new AtomicInteger();
    private final AtomicLong swallowed = new AtomicLong();
    private volatile int upstream;
    private volatile long delayNanos;

    Proxy(int upstream) {
        this.upstream = upstream;
        try {
            this.door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** From now on new connections lead here. */
    void leadTo(int port) {
        upstream = port;
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Thread.ofVirtual().start(() -> join(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket client) {
        Socket server = new Socket();
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), upstream), 5_000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException away) {
            ProxiedConnection.reset(client);
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(client, server, this);
        open.add(connection);
        connection.run();
        open.remove(connection);
    }

    /** Asked by a connection that has just seen a commit succeed. */
    boolean swallowsCommit() {
        boolean isWanted = commitsToSwallow.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (isWanted) {
            swallowed.incrementAndGet();
        }
        return isWanted;
    }

    long delayNanos() {
        return delayNanos;
    }

    /** The next commits happen, but their answers are lost: the connection is reset instead. */
    void swallowCommits(int count) {
        commitsToSwallow.addAndGet(count);
    }

    /** How many commits' answers were swallowed. */
    long swallowed() {
        return swallowed.get();
    }

    void delay(Duration eachMessage) {
        delayNanos = eachMessage.toNanos();
    }

    /** Resets all connections. */
    void cut() {
        open.forEach(ProxiedConnection::cut);
    }

    /** Lets this part of the connections fall silent for ever: they stay open, and nothing passes any more. */
    int silence(Random random, int percent) {
        List<ProxiedConnection> all = new ArrayList<>(open);
        Collections.shuffle(all, random);
        List<ProxiedConnection> some = all.subList(0, (all.size() * percent + 99) / 100);
        some.forEach(ProxiedConnection::silence);
        return some.size();
    }

    /** No more faults from here on; what fell silent stays so, as half-open connections do. */
    void behave() {
        delayNanos = 0;
        commitsToSwallow.set(0);
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        cut();
    }
}
