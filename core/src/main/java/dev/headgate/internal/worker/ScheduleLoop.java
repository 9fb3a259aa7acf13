package dev.headgate.internal.worker;

import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.schedule.ScheduleStore.Fired;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires schedules: sleeps until the first is due or a schedule has changed, reads them, and enqueues what is due. Has a
 * loop of its own, because a worker whose slots are taken must do this too, and claims of a worker without schedules
 * must not pay for it.
 *
 * <p>Design note: every worker does this, and the rows decide which of them fires. All of them wake at the instant, but
 * only read; the first that finds a schedule due takes it, and the next finds it moved on.
 */
final class ScheduleLoop {
    private static final Logger log = LoggerFactory.getLogger(ScheduleLoop.class);

    /**
     * A store that learns of other processes by their commits wakes this loop at each of them; it reads at most this
     * often.
     */
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

    private final Loop loop;
    private final Shared shared;
    private final ScheduleStore schedules;
    private final StoreBackoff backoff;
    private final long pollNanos;
    private volatile boolean isLookAsked = true;
    private long nextNanos;
    private long lookedNanos;

    ScheduleLoop(Shared shared, WorkerSettings settings) {
        this.loop = shared.runner().loop("clockwork", settings.name(), this::round);
        this.shared = shared;
        this.schedules = new ScheduleStore(shared.store().backend());
        this.pollNanos = Nanos.of(settings.timing().pollEvery());
        this.backoff = new StoreBackoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(2));
        this.nextNanos = shared.ticker().nanos();
        this.lookedNanos = nextNanos - LOOK_NANOS;
    }

    Loop loop() {
        return loop;
    }

    /** A schedule may have been put, changed or resumed. */
    void lookSoon() {
        isLookAsked = true;
        loop.wake();
    }

    /**
     * Fires what is due, on the caller's thread, for a caller that must know that nothing is left; false if something
     * was, or if the store is away.
     */
    boolean hasCaughtUp() {
        try {
            Duration left = schedules.left();
            boolean isDue = left != null && left.isZero();
            if (isDue) {
                tell(schedules.fire());
            }
            return !isDue;
        } catch (StoreUnavailableException away) {
            return false; // the loop logs the failure, and retries
        }
    }

    private long round() {
        long now = shared.ticker().nanos();
        long soonest = isLookAsked ? Math.min(nextNanos, lookedNanos + LOOK_NANOS) : nextNanos;
        if (soonest - now > 0) {
            return soonest - now;
        }
        isLookAsked = false;
        lookedNanos = now;
        try {
            Duration left = schedules.left();
            if (left != null && left.isZero()) {
                tell(schedules.fire());
                left = schedules.left();
            }
            backoff.succeed("schedules");
            nextNanos = shared.ticker().nanos() + pause(left);
        } catch (RuntimeException away) {
            nextNanos = shared.ticker().nanos() + backoff.fail("schedules", away);
        }
        return nextNanos - shared.ticker().nanos();
    }

    /** A schedule that another worker holds stays due for a moment; it is not read again at once. */
    private long pause(@Nullable Duration left) {
        if (left == null) {
            return pollNanos;
        }
        return left.isZero() ? LOOK_NANOS : Math.min(pollNanos, Nanos.of(left));
    }

    private static void tell(Fired fired) {
        fired.troubles().forEach(trouble -> log.warn("{}", trouble));
        fired.leftOut().forEach(each -> log.debug("{}", each));
        if (fired.runs() > 0) {
            log.debug("{} scheduled runs enqueued", fired.runs());
        }
    }
}
