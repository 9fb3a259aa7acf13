package dev.headgate.internal.worker;

import dev.headgate.event.Event;
import dev.headgate.internal.pool.PoolRule;
import dev.headgate.internal.pool.PoolSample;
import dev.headgate.internal.pool.PoolState;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.resource.PoolBounds;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many slots the worker has now. Checks that size now and then; the claim loop reports how many slots are taken.
 *
 * <p>Design note: a worker with a free slot claims whatever may start, so only a worker whose slots are all taken needs
 * to ask the store what else waits. A pool that is not full asks nothing, and one that fills up asks at once.
 */
final class SlotPool {
    private static final Logger log = LoggerFactory.getLogger(SlotPool.class);

    private final Loop loop;
    private final Shared shared;
    private final WorkerSettings settings;
    private final PoolBounds bounds;
    private final WorkerLease workerLease;
    private final Slots slots;
    private final BacklogStore backlog;
    private final BooleanSupplier isMemoryShort;
    private final Runnable onResize;
    private final StoreBackoff backoff;
    private final long everyNanos;
    private final AtomicInteger mostTaken = new AtomicInteger();
    private volatile boolean isFull;
    private volatile PoolState state;
    private long nextLookNanos;
    private long nextQuestionNanos;

    SlotPool(
            Shared shared,
            WorkerSettings settings,
            WorkerLease workerLease,
            Slots slots,
            BooleanSupplier isMemoryShort,
            Runnable onResize) {
        this.loop = shared.runner().loop("pool", settings.name(), this::round);
        this.shared = shared;
        this.settings = settings;
        this.bounds = settings.limits().pool();
        this.workerLease = workerLease;
        this.slots = slots;
        this.backlog = new BacklogStore(shared.store().backend());
        this.isMemoryShort = isMemoryShort;
        this.onResize = onResize;
        this.backoff = new StoreBackoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(30));
        this.everyNanos = Nanos.of(bounds.every());
        long now = shared.ticker().nanos();
        this.nextQuestionNanos = now;
        this.nextLookNanos = now + everyNanos;
        // The first size counts as old enough to change: a worker may start with a full store.
        this.state = PoolState.first(bounds, now - Nanos.of(bounds.cooldown()));
    }

    /** Not started if the size is fixed. */
    Loop loop() {
        return loop;
    }

    int size() {
        return state.size();
    }

    /** The claim loop calls this after each turn with the number of slots taken. */
    void taken(int most) {
        if (bounds.isFixed()) {
            return;
        }
        mostTaken.accumulateAndGet(most, Math::max);
        if (most >= size() && !isFull) {
            isFull = true;
            loop.wake();
        }
    }

    private long round() {
        long now = shared.ticker().nanos();
        boolean isQuestionDue = isFull && nextQuestionNanos - now <= 0;
        if (isQuestionDue || nextLookNanos - now <= 0) {
            try {
                look(now);
                backoff.succeed("pool of worker " + settings.name());
                nextLookNanos = now + everyNanos;
            } catch (RuntimeException away) {
                // A pool that does not know what waits keeps its size.
                nextLookNanos = now + Math.max(everyNanos, backoff.fail("pool of worker " + settings.name(), away));
                nextQuestionNanos = nextLookNanos;
            }
        }
        return (isFull && nextQuestionNanos - nextLookNanos < 0 ? nextQuestionNanos : nextLookNanos)
                - shared.ticker().nanos();
    }

    private void look(long now) {
        int busy = Math.max(mostTaken.getAndSet(0), slots.busy());
        boolean wasFull = isFull || busy >= size();
        isFull = false;
        int more = 0;
        if (wasFull && size() < bounds.max()) {
            nextQuestionNanos = now + everyNanos;
            more = backlog.admissible(settings.serving().queues(), bounds.max() - size());
        }
        PoolState before = state;
        boolean isShort = more > 0 && isMemoryShort.getAsBoolean();
        PoolState after = PoolRule.next(bounds, before, new PoolSample(now, busy, more, isShort));
        state = after;
        if (after.size() != before.size()) {
            log.info(
                    "worker {}: {} slots, before {}: {}", settings.name(), after.size(), before.size(), after.reason());
            shared.events()
                    .tell(() -> new Event.PoolResized(workerLease.id(), before.size(), after.size(), after.reason()));
            onResize.run();
        }
    }
}
