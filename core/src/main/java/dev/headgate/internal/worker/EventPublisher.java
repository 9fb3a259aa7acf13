package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.event.Listener;
import dev.headgate.internal.time.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events to listeners, on a thread of its own that starts with the first listener. */
public final class EventPublisher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventPublisher.class);
    private static final int WAITING_MAX = 10_000;

    private final Queue<Event> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder dropped = new LongAdder();
    private volatile @Nullable Loop loop;

    public synchronized void add(Listener listener) {
        listeners.add(listener);
        if (loop == null) {
            Loop fresh = LoopRunner.THREADS.loop("events", "listeners", this::round);
            loop = fresh;
            fresh.start();
        }
    }

    /** Never waits, and costs nothing while there is no listener. */
    void tell(Supplier<Event> event) {
        Loop awake = loop;
        if (awake == null) {
            return;
        }
        if (!waiting.offer(event.get())) {
            dropped.increment();
        }
        awake.wake();
    }

    private long round() {
        for (Event event = waiting.poll(); event != null; event = waiting.poll()) {
            for (Listener listener : listeners) {
                tell(listener, event);
            }
        }
        long lost = dropped.sumThenReset();
        if (lost > 0) {
            log.warn("{} events were dropped, because a listener was {} behind", lost, WAITING_MAX);
        }
        return Nanos.FOR_EVER;
    }

    private static void tell(Listener listener, Event event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error fault) {
            log.warn("a listener failed on {}", event, fault);
        }
    }

    /** Publishes what is left, for a second at most. */
    @Override
    public synchronized void close() {
        Loop last = loop;
        if (last == null) {
            return;
        }
        last.finish();
        try {
            if (last.join(Duration.ofSeconds(1))) {
                round();
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        loop = null;
    }
}
