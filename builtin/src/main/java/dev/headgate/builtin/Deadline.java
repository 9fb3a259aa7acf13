package dev.headgate.builtin;

import dev.headgate.internal.time.Ticker;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection when its time is over. That ends a connect, a handshake, a write or a read that takes too long; a
 * socket timeout would begin anew with every byte. Thread-safe.
 */
final class Deadline implements AutoCloseable {
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final long endNanos;
    private @Nullable SocketChannel guarded;
    private boolean isOver;

    Deadline(Duration patience) {
        endNanos = Ticker.SYSTEM.nanos() + patience.toNanos();
        var unused = end.orTimeout(Math.max(1, patience.toNanos()), TimeUnit.NANOSECONDS)
                .whenComplete((none, late) -> {
                    if (late != null) {
                        expire();
                    }
                });
    }

    /** Guards this channel instead of the one before. */
    synchronized void guard(SocketChannel channel) {
        guarded = channel;
        if (isOver) {
            hangUp(channel);
        }
    }

    synchronized boolean isOver() {
        return isOver;
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - Ticker.SYSTEM.nanos()));
    }

    private synchronized void expire() {
        isOver = true;
        if (guarded != null) {
            hangUp(guarded);
        }
    }

    private static void hangUp(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException closed) {
            // It is not used any more.
        }
    }

    /** From now on nothing is closed. */
    @Override
    public synchronized void close() {
        guarded = null;
        end.complete(null);
    }
}
