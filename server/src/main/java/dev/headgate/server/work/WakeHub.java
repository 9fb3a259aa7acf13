package dev.headgate.server.work;

import dev.headgate.spi.Backend;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets callers wait until a queue may have something for them. Each wake-up of the store has a number here; a caller names the
 * newest number that it knows, so that a wake-up between its last look and its waiting is not lost. The numbers of another server, or
 * of this one before its restart, count as unknown: then there is no waiting.
 */
final class WakeHub implements AutoCloseable {
    private static final int QUEUES_MAX = 10_000;

    private final String server = UUID.randomUUID().toString();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Long> latest = new LinkedHashMap<>(16, 0.75f, true);
    private final Backend.Subscription subscription;
    private long number;
    private long latestOfAll;
    private boolean isClosed;

    WakeHub(Backend backend) {
        this.subscription = backend.listen(this::on);
    }

    private void on(Wake wake) {
        lock.lock();
        try {
            number++;
            switch (wake) {
                case Wake.Queue(String name) -> note(name);
                case Wake.Coming coming -> {}
                case Wake.Cancel cancel -> latestOfAll = number;
                case Wake.Anything anything -> latestOfAll = number;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void note(String queue) {
        latest.put(queue, number);
        if (latest.size() > QUEUES_MAX) {
            // What is forgotten counts for every queue: a needless look, never a missed one.
            var oldest = latest.entrySet().iterator();
            latestOfAll = Math.max(latestOfAll, oldest.next().getValue());
            oldest.remove();
        }
    }

    /** A mark for {@link #await}: what was told until now is known to its bearer. */
    String mark() {
        lock.lock();
        try {
            return server + "." + number;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something was told of these queues that the bearer of the mark does not know; returns false if this time passed
     * without.
     *
     * @param queues names, and patterns that end in a star
     */
    boolean await(Collection<String> queues, String mark, Duration most) throws InterruptedException {
        long known = known(mark);
        long left = most.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isClosed && !hasNews(queues, known)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long known(String mark) {
        String start = server + ".";
        if (!mark.startsWith(start)) {
            return -1;
        }
        try {
            return Long.parseLong(mark.substring(start.length()));
        } catch (NumberFormatException foreign) {
            return -1;
        }
    }

    private boolean hasNews(Collection<String> queues, long known) {
        if (known < 0 || latestOfAll > known) {
            return true;
        }
        for (String queue : queues) {
            if (queue.endsWith("*")) {
                String start = queue.substring(0, queue.length() - 1);
                if (latest.entrySet().stream()
                        .anyMatch(
                                each -> each.getValue() > known && each.getKey().startsWith(start))) {
                    return true;
                }
            } else if (latest.getOrDefault(queue, 0L) > known) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        subscription.close();
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
