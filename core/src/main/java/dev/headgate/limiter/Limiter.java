package dev.headgate.limiter;

import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits for code that is not a job. All limits of a limiter agree or nothing is taken. Thread-safe.
 *
 * <pre>{@code
 * Limiter limiter = Limiter.inProcess(window(50).per(ofMinutes(1)), concurrency(5));
 * switch (limiter.tryAcquire()) {
 *     case Permit permit -> {
 *         try (permit) {
 *             call();
 *         }
 *     }
 *     case Denied denied -> System.out.println(denied.reason() + ", again in " + denied.next());
 * }
 * }</pre>
 *
 * <p>{@link #inProcess} limits one process. {@code headgate.limiter("openai")} is a gate of the store, shared with every
 * process and with the jobs that name it.
 */
public interface Limiter {
    /** A {@link Permit} or {@link Denied}. */
    sealed interface Answer permits Permit, Denied {}

    /** A limiter for this process alone; without any limit it lets everything pass. */
    static LocalLimiter inProcess(Limit... limits) {
        return inProcess(GatePolicy.of(limits));
    }

    /** The same with a back-off of its own: {@code GatePolicy.of(window(50).per(ofMinutes(1))).backOff(…)}. */
    static LocalLimiter inProcess(GatePolicy policy) {
        return new LocalLimiter(policy, LocalTime.of(Ticker.SYSTEM), Chance.SYSTEM);
    }

    /** A limiter with a limit of your own; more limits can be added. */
    static LocalLimiter inProcess(CustomLimit own) {
        return new LocalLimiter(
                GatePolicy.of(), LocalLimiter.requireLimit(own), LocalTime.of(Ticker.SYSTEM), Chance.SYSTEM);
    }

    /** A limiter for this process alone on a clock of the caller, in nanoseconds from any origin: for tests. */
    static LocalLimiter inProcess(GatePolicy policy, LongSupplier nanos) {
        return new LocalLimiter(policy, LocalTime.of(nanos::getAsLong), Chance.SYSTEM);
    }

    /** Asks for one start of cost 1. */
    default Answer tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Asks for one start, without waiting. A denial changes nothing.
     *
     * @param cost what it counts for budgets and limits by cost; 0 to 1,000,000,000,000
     */
    Answer tryAcquire(long cost);

    /**
     * Like {@link #tryAcquire}, but waits: until the exact instant at which time opens the limiter, or until a permit
     * that it needs is given back. Threads that wait at the same limiter in this process are served in their order.
     *
     * @return a denial if nothing came free within {@code timeout}, or at once if it never can
     */
    Answer acquire(long cost, Duration timeout) throws InterruptedException;

    /** What {@link #tryAcquire} would be denied with now; absent if it would get a permit. Takes nothing. */
    Optional<Denied> check(long cost);

    /**
     * What counts against one limit now.
     *
     * @param used permits that are out, starts, or units of cost for a budget and for a limit by cost; for a distance between starts 1 until the
     *     next one may follow. More than {@code most} if more was settled, or the limit was lowered
     * @param most what the limit gives while nothing is used: of an adaptive limit, what it gives now
     */
    record Use(Limit limit, long used, long most) {}

    /**
     * What is used of each limit, its own limits first, then those of limiters that were added; a custom limit has no figures. Reads only.
     */
    List<Use> usage();

    /**
     * Shuts the limiter for this long, and with it all limiters or gates that it is made of. Of two holds the later one stands.
     *
     * @param span at most 366 days
     * @return whether it is shut longer than before; a span of zero or less changes nothing
     */
    boolean hold(Duration span, String reason);

    /**
     * The same until an instant: of store time for a limiter of a store, else of the clock of this machine.
     *
     * @param until at most 366 days away; one that is past changes nothing
     */
    boolean holdUntil(Instant until, String reason);

    /**
     * Ends a hold, with its back-off and its probe, also of all that it is made of. What was spent stays spent, so the limits are kept; permits stay valid.
     *
     * @return false if it was not held
     */
    boolean release();

    /** As if it were new, and all that it is made of: nothing spent, no hold, and permits that are out are void. */
    void clear();
}
