package dev.headgate.internal.worker;

import dev.headgate.handler.JobStopped;
import dev.headgate.handler.TooLate;
import dev.headgate.internal.lease.Departure;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Until when a run may enter its handler and make its call, so that the call comes when its limits count it.
 * Thread-safe.
 */
final class CallDeadline {
    private static final int CAUSES_MAX = 50;

    /** How long a handler waits for a new start. */
    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

    /** How often to ask again: a gate may open earlier than it said, after a release. */
    private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

    private volatile GrantTime grant;
    private volatile @Nullable Duration lag;
    private volatile @Nullable TooLate tooLate;

    CallDeadline(GrantTime grant) {
        this.grant = grant;
    }

    long leftNanos(long now) {
        return grant.leftNanos(now);
    }

    /** The present grant. */
    GrantTime grant() {
        return grant;
    }

    /**
     * The handler is about to be entered.
     *
     * @throws HandlerNotEntered if it is too late
     */
    void enter(long now) {
        Duration measured = grant.age(now);
        lag = measured;
        if (grant.leftNanos(now) < 0) {
            throw new HandlerNotEntered(new Outcome.Late(measured));
        }
    }

    /** Whether the handler was reached in half of the available time, or sooner. */
    boolean isSoon() {
        Duration measured = lag;
        return measured != null && measured.toNanos() <= grant.allowanceNanos() / 2;
    }

    /** The time from the grant to the handler; absent if that was not reached. */
    @Nullable
    Duration lag() {
        return lag;
    }

    /**
     * The handler is about to make its call. If its start is too old, asks for a new one and waits for that if it comes
     * soon: otherwise the handler would have to prepare its call again, and another job that gets the start would
     * prepare for as long. Slots that wait here claim nothing new.
     *
     * @throws TooLate if the call must not be made now
     */
    void depart(RunningJob run, JobHost host) {
        long patience = host.nanos() + PATIENCE_NANOS;
        while (leftNanos(host.nanos()) < 0) {
            long wait = ask(run, host) * 1_000;
            if (host.nanos() + wait - patience > 0) {
                throw tooLate(run, host, "its limits allow no other start soon", null);
            }
            if (wait > 0) {
                host.rest(Math.min(wait, LOOK_NANOS));
                run.checkCancelled();
            }
        }
    }

    /** Returns how long to wait, in microseconds; 0 if a start was taken. */
    private long ask(RunningJob run, JobHost host) {
        Departure departure;
        try {
            departure = host.depart(run);
        } catch (StoreUnavailableException away) {
            throw tooLate(run, host, "the store cannot be asked for a new start", away);
        }
        return switch (departure) {
            case Departure.Granted(JobRow lease, long grantedNanos) -> {
                run.leased(lease);
                grant = new GrantTime(grantedNanos, lease.lease().margin(), grant.passes());
                yield 0;
            }
            case Departure.Denied(long waitMicros) -> waitMicros;
            case Departure.Gone gone -> throw new JobStopped(run.id(), "its lease is gone, so it must make no call");
        };
    }

    private TooLate tooLate(RunningJob run, JobHost host, String why, @Nullable Throwable cause) {
        TooLate late = new TooLate(run.id(), grant.age(host.nanos()), why, cause);
        tooLate = late;
        return late;
    }

    /** Returns the too-late error that is this error or one of its causes; absent if there is none. */
    @Nullable
    TooLate tooLateIn(Throwable error) {
        TooLate known = tooLate;
        Throwable each = error;
        for (int depth = 0; known != null && each != null && depth < CAUSES_MAX; depth++) {
            if (each.equals(known)) {
                return known;
            }
            each = each.getCause();
        }
        return null;
    }
}
