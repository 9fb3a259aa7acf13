package dev.headgate.limiter;

import dev.headgate.internal.admission.GateState;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A limiter with a single simple limit, as one number that is changed by compare-and-set.
 *
 * <p>Design note: one number is enough for what is asked a million times a second, and not for a hold, a debt, a line of
 * waiters or a second limit. The first time one of those is wanted, the number is swapped for {@link #MOVED} and its
 * meaning handed to a {@link GuardedLimiter}, which stays. A thread that then meets {@code MOVED} asks there.
 */
abstract sealed class LimitCell permits RateCell, SpacedCell, ConcurrencyCell {
    static final long MOVED = Long.MIN_VALUE;

    final LocalTime time;
    final AtomicLong value = new AtomicLong();
    private volatile @Nullable GuardedLimiter successor;

    LimitCell(LocalTime time) {
        this.time = time;
    }

    /** The cell for this policy; absent if a single number cannot hold it. */
    static @Nullable LimitCell of(GatePolicy policy, LocalTime time) {
        List<Limit> limits = policy.limits();
        if (limits.size() != 1 || !policy.shadows().isEmpty()) {
            return null;
        }
        return switch (limits.getFirst()) {
            case Rate rate when RateCell.fits(rate) -> new RateCell(rate, time);
            case Spaced spaced when !spaced.isByCost() -> new SpacedCell(spaced, time);
            case Concurrency concurrency -> new ConcurrencyCell(concurrency, time);
            default -> null;
        };
    }

    /** One start; absent if that must be asked of the successor. */
    abstract Limiter.@Nullable Answer tryAcquire(LocalLimiter limiter, long cost);

    /** One start without a permit; absent if that must be asked of the successor. */
    @Nullable
    Boolean tryStart(long cost) {
        return null;
    }

    /** Gives back the place of a start without a permit; false if that must be asked of the successor. */
    boolean finish(long cost) {
        return value.get() != MOVED;
    }

    /** What a number means. */
    abstract GateState state(long number);

    /** Whether a cost that is settled later makes a difference. */
    boolean isByCost() {
        return false;
    }

    /** Hands over for good; the caller holds the lock of {@code other}. */
    final GateState moveTo(GuardedLimiter other) {
        successor = other;
        return state(value.getAndSet(MOVED));
    }

    /** The limiter behind a lock that decides once this has moved. */
    final GuardedLimiter successor() {
        GuardedLimiter next = successor;
        if (next == null) {
            throw new IllegalStateException("limiter: expected a successor of a cell that has moved");
        }
        return next;
    }

    /** Gives back what a permit held. */
    void giveBack(CellPermit permit) {}
}
