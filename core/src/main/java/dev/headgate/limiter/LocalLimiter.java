package dev.headgate.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limiter for one process; see {@link Limiter#inProcess}. Limits and whole limiters can be added while it is in use:
 *
 * <pre>{@code
 * LocalLimiter account = Limiter.inProcess(rate(600).per(ofMinutes(1)).burst(10));
 * LocalLimiter model = Limiter.inProcess(concurrency(3)).add(account);    // takes of both or of neither
 * }</pre>
 *
 * <p>A limiter with one rate, one spacing or one concurrency decides without a lock, until it is first held, settled by
 * cost, rejected, cleared, waited for, added to or given to a worker; from then on, and with any other limits from the
 * beginning, it takes a short lock for each decision.
 */
public final class LocalLimiter implements Limiter {
    private static final Object JOINING = new Object();

    private final GatePolicy policy;
    private final LocalTime time;
    private final Chance chance;
    private final @Nullable CustomLimit custom;
    private final @Nullable LimitCell cell;
    private volatile @Nullable GuardedLimiter guarded;

    LocalLimiter(GatePolicy policy, LocalTime time, Chance chance) {
        this(policy, null, time, chance);
    }

    LocalLimiter(GatePolicy policy, @Nullable CustomLimit custom, LocalTime time, Chance chance) {
        this.policy = policy.immediate();
        this.custom = custom;
        this.time = time;
        this.chance = chance;
        this.cell = custom == null ? LimitCell.of(this.policy, time) : null;
        if (cell == null) {
            guarded();
        }
    }

    /** Without one the limiter would let everything pass. */
    static CustomLimit requireLimit(@Nullable CustomLimit own) {
        if (own == null) {
            throw new IllegalArgumentException("limiter: expected a limit of your own, got null");
        }
        return own;
    }

    public static void checkCost(long cost) {
        if (cost < 0 || cost > Cost.UNITS_MAX) {
            throw new IllegalArgumentException(
                    "limiter: expected a cost from 0 to %d, got %d".formatted(Cost.UNITS_MAX, cost));
        }
    }

    @Override
    public Answer tryAcquire(long cost) {
        checkCost(cost);
        if (cell != null) {
            Answer answer = cell.tryAcquire(this, cost);
            if (answer != null) {
                return answer;
            }
        }
        return guarded().tryAcquire(cost);
    }

    /**
     * One start without a permit, for code that asks very often: allocates nothing if there is a single rate, spacing or
     * concurrency. Where a limit holds places (concurrency, budget, adaptive), each start that was allowed must be followed
     * by one {@link #finish} of the same cost. Starts are only counted, so one finish too many frees the place of
     * another start; a {@link Permit} cannot do that.
     *
     * @return whether it may start
     * @throws IllegalStateException if it has a custom limit, which must know its starts apart
     */
    public boolean tryStart(long cost) {
        checkCost(cost);
        if (cell != null) {
            Boolean answer = cell.tryStart(cost);
            if (answer != null) {
                return answer;
            }
        }
        return guarded().tryStart(cost);
    }

    /** Gives back the place of a {@link #tryStart}; does nothing where no limit holds places, or none is taken. */
    public void finish(long cost) {
        checkCost(cost);
        if (cell == null || !cell.finish(cost)) {
            guarded().finish(cost);
        }
    }

    @Override
    public Answer acquire(long cost, Duration timeout) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Answer answer = tryAcquire(cost);
        boolean isFinal = answer instanceof Permit || timeout.isNegative() || timeout.isZero();
        return isFinal ? answer : guarded().acquire(cost, timeout);
    }

    @Override
    public Optional<Denied> check(long cost) {
        checkCost(cost);
        long number = cell == null ? LimitCell.MOVED : cell.value.get();
        if (cell == null || number == LimitCell.MOVED) {
            return Optional.ofNullable(guarded().check(cost));
        }
        GateLedger copy = new GateLedger(GuardedLimiter.KEY, policy, cell.state(number));
        return Optional.ofNullable(GuardedLimiter.denied(copy, cost, time.micros()));
    }

    public static long holdMicros(Duration span) {
        if (span.compareTo(Hold.SPAN_MAX) > 0) {
            throw new IllegalArgumentException(
                    "hold: expected at most %s, got %s".formatted(Spans.text(Hold.SPAN_MAX), span));
        }
        return Micros.of(Hold.bounded(span));
    }

    @Override
    public boolean hold(Duration span, String reason) {
        return guarded().hold(holdMicros(span), reason);
    }

    @Override
    public boolean holdUntil(Instant until, String reason) {
        return hold(Duration.between(Micros.instant(time.micros()), until), reason);
    }

    @Override
    public List<Use> usage() {
        long number = cell == null ? LimitCell.MOVED : cell.value.get();
        if (cell == null || number == LimitCell.MOVED) {
            return guarded().usage();
        }
        GateLedger copy = new GateLedger(GuardedLimiter.KEY, policy, cell.state(number));
        return GuardedLimiter.usage(copy, time.micros());
    }

    @Override
    public boolean release() {
        return guarded().lift();
    }

    @Override
    public void clear() {
        guarded().clear();
    }

    /**
     * One more limit from now on, which knows nothing of what was before.
     *
     * @throws IllegalArgumentException if it has a limit of this kind and period already
     */
    public LocalLimiter add(Limit limit) {
        guarded().add(limit);
        return this;
    }

    /**
     * From now on this one lets start only what {@code other} lets start too, and takes of both or of neither. The other
     * one may be part of many, and may be asked directly as well. A hold, release or clear of this one reaches the other one too.
     *
     * @throws IllegalArgumentException if this one is part of the other
     */
    public LocalLimiter add(LocalLimiter other) {
        GuardedLimiter here = guarded();
        synchronized (JOINING) {
            if (other.guarded().all().contains(here)) {
                throw new IllegalArgumentException(
                        "limiter: expected to add one that does not contain this one; it would wait for itself");
            }
            here.join(other.guarded());
        }
        return this;
    }

    /** One more limit of your own from now on. */
    public LocalLimiter add(CustomLimit own) {
        return add(new LocalLimiter(GatePolicy.of(), requireLimit(own), time, chance));
    }

    /** How many starts of cost 1 could follow each other right now, at most {@code max}. */
    public int available(int max) {
        return guarded().available(max);
    }

    /** Calls back, on any thread, whenever something was given back or cleared, until it is closed. */
    public Subscription listen(Runnable listener) {
        return guarded().listen(listener);
    }

    /** Ends a {@link #listen}. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** The form behind a lock; moves there if need be. */
    GuardedLimiter guarded() {
        GuardedLimiter known = guarded;
        return known != null ? known : move();
    }

    private synchronized GuardedLimiter move() {
        GuardedLimiter known = guarded;
        if (known == null) {
            known = new GuardedLimiter(policy, custom, time, chance);
            known.begin(cell);
            guarded = known;
        }
        return known;
    }
}
