package dev.headgate.internal.worker;

import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.resource.LimiterClosure;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.Reservations;
import dev.headgate.internal.resource.Reservations.Reservation;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.resource.TimeLeft;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.job.Outcome;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a worker start only jobs that it has capacity and time for, learns what its jobs take, and tells the store.
 * Costs nothing for a worker without resource settings, whose handlers declare nothing and whose heap is not small.
 */
final class ResourceTracker {
    private static final Logger log = LoggerFactory.getLogger(ResourceTracker.class);

    /** While something does not fit, how often to check whether it does by now. */
    private static final long LOOK_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * A limiter that opens sooner is not reported: until then nothing has waited long, and it would be reported all the
     * time.
     */
    private static final long SHUT_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long COLLECT_NANOS = Duration.ofSeconds(30).toNanos();

    private final Ticker ticker;
    private final ResourceStore store;
    private final Slots slots;
    private final Supplier<Reservations> opening;
    private final boolean isPoolFixed;
    private final boolean isMinding;
    private volatile @Nullable End end;
    private long collectedNanos;
    private final @Nullable LocalLimiter limiter;
    private volatile Runnable onShut = () -> {};
    private volatile Shut toldShut = Shut.NOT;
    private Capacity told = Capacity.UNTOLD;
    private String toldOf = "";
    private int toldSlots;
    private @Nullable Reservations opened;

    ResourceTracker(Shared shared, WorkerSettings settings, Slots slots) {
        this.ticker = shared.ticker();
        this.store = new ResourceStore(shared.store().backend());
        this.slots = slots;
        this.limiter = settings.limits().limiter();
        this.isPoolFixed = settings.limits().pool().isFixed();
        Headroom asked = settings.limits().room();
        Map<String, Declared> declared = declared(shared);
        Headroom headroom = Objects.requireNonNullElse(asked, Headroom.system());
        boolean isSaid = asked != null || settings.limits().until() != null || !declared.isEmpty();
        this.isMinding =
                !headroom.isIgnored() && (isSaid || shared.runner().process().isSmall());
        this.opening = () -> new Reservations(
                headroom, declared, apart(shared), shared.runner().process(), Path.of("/"), ticker);
        this.collectedNanos = ticker.nanos() - COLLECT_NANOS;
        if (settings.limits().until() != null) {
            finishWithin(settings.limits().until());
        }
    }

    /** Created on first use: reading the JVM takes time at first. */
    private synchronized Reservations reservations() {
        Reservations known = opened;
        if (known == null) {
            known = opening.get();
            opened = known;
        }
        return known;
    }

    private static Map<String, Declared> declared(Shared shared) {
        Map<String, Declared> declared = new HashMap<>();
        for (String type : shared.handlers().types()) {
            Handler<?> handler = shared.handlers().find(type);
            Duration expected = handler == null ? null : handler.options().expected();
            Declared said = handler == null
                    ? Declared.NOTHING
                    : new Declared(
                            handler.options().needs(), expected == null ? null : Long.valueOf(Micros.of(expected)));
            if (!said.isNothing()) {
                declared.put(type, said);
            }
        }
        return declared;
    }

    /** A batch does its work on a thread of its own, while the threads of its members wait. */
    private static Set<String> apart(Shared shared) {
        Set<String> apart = new HashSet<>(shared.handlers().types());
        apart.removeAll(shared.handlers().unbatchedTypes());
        return apart;
    }

    /** Reads what is known of the job types, and stores what the handlers here declare. */
    void open() {
        if (isMinding) {
            reservations().learn(store.profiles());
            store.declare(reservations().declared());
        }
    }

    /** When everything must be done, and how much time there was for that. */
    private record End(long nanos, long wholeNanos) {}

    /** From now on starts only jobs that are expected to be done by then. */
    void finishWithin(Duration time) {
        long whole = Nanos.of(time);
        end = new End(ticker.nanos() + whole, whole);
    }

    private TimeLeft timeLeft() {
        End set = end;
        return set == null
                ? TimeLeft.FOR_EVER
                : new TimeLeft(Math.max(0, (set.nanos() - ticker.nanos()) / 1_000), set.wholeNanos() / 1_000);
    }

    /** The present capacity. */
    JobFit fit() {
        return isMinding || end != null ? reservations().fit(timeLeft()) : JobFit.ALWAYS;
    }

    /**
     * Notes what a turn passed over.
     *
     * @return after how many nanoseconds to look again; negative if that is not needed
     */
    long note(Turn.Passed passed) {
        if (!isMinding && end == null) {
            return -1;
        }
        boolean isFurther = reservations().note(passed.jobs(), passed.isBeyondSight());
        if (passed.jobs().isEmpty()) {
            return -1;
        }
        return isFurther || hasCollected(passed) ? 0 : LOOK_AGAIN_NANOS;
    }

    /**
     * The heap of an idle worker is not collected, so its figures may be old. Before jobs wait for memory that is in
     * fact free, this asks the JVM for a collection.
     */
    private boolean hasCollected(Turn.Passed passed) {
        long now = ticker.nanos();
        boolean isDue = now - collectedNanos >= COLLECT_NANOS;
        if (!isDue || slots.busy() > 0 || !reservations().isHeapInDoubt(passed.jobs())) {
            return false;
        }
        collectedNanos = now;
        log.info("jobs wait for memory though none is at work here; the heap is collected to see what is free");
        System.gc();
        reservations().lookNow();
        return true;
    }

    /**
     * Reserves what one job needs. Absent if this worker tracks no resources.
     *
     * @throws HandlerNotEntered if another worker of this process has taken the capacity since the claim
     */
    @Nullable
    Reservation admit(long job, String type) {
        if (!isMinding) {
            return null;
        }
        Reservation reservation = reservations().admit(job, type);
        if (reservation == null) {
            throw new HandlerNotEntered(new Outcome.HandedBack());
        }
        return reservation;
    }

    /** How many jobs the latest look passed over. */
    int passed() {
        return isMinding || end != null ? reservations().passed() : 0;
    }

    /** Whether more jobs at once would not fit. */
    boolean isTight() {
        return reservations().isTight();
    }

    /** Tells the store the number of slots, the remaining capacity and the state of the worker's own limiter, if that has changed. */
    void tell(String worker, int slots) {
        Capacity now = isMinding ? capacity() : Capacity.UNTOLD;
        Shut shut = shut();
        if (!now.isLike(told) || slots != toldSlots || !worker.equals(toldOf) || !shut.isLike(toldShut)) {
            if (isMinding || limiter != null || !isPoolFixed) {
                store.publish(worker, slots, now.text(), shut.reason, shut.opens);
            }
            told = now;
            toldOf = worker;
            toldSlots = slots;
            toldShut = shut;
        }
    }

    private Capacity capacity() {
        Capacity capacity = reservations().capacity();
        TimeLeft left = timeLeft();
        return end == null ? capacity : capacity.until(left.whole(), left.micros());
    }

    /** Calls this if the limiter has closed and the store does not know. */
    void onShut(Runnable shut) {
        this.onShut = shut;
    }

    /** There are free slots, and the worker's own limiter lets nothing start. */
    void noteShut() {
        if (!shut().isLike(toldShut)) {
            onShut.run();
        }
    }

    /**
     * The state of the worker's own limiter.
     *
     * @param reason absent if it is open, or opens in a moment
     * @param opens absent if a release must come first, {@link LimiterClosure#NEVER} if it never opens
     * @param until when that is
     */
    private record Shut(@Nullable String reason, @Nullable Duration opens, long until) {
        static final Shut NOT = new Shut(null, null, 0);

        boolean isLike(Shut other) {
            return (reason == null) == (other.reason == null)
                    && (opens == null) == (other.opens == null)
                    && Math.abs(until - other.until) <= SHUT_NANOS;
        }
    }

    private Shut shut() {
        Denied denied = limiter == null ? null : limiter.check(1).orElse(null);
        if (denied == null) {
            return Shut.NOT;
        }
        Duration opens = denied.next();
        if (opens == null) {
            return new Shut(denied.reason(), denied.isNever() ? LimiterClosure.NEVER : null, 0);
        }
        long nanos = Nanos.of(opens);
        return nanos <= SHUT_NANOS ? Shut.NOT : new Shut(denied.reason(), opens, ticker.nanos() + nanos);
    }

    /** Stores what was learnt here, and reads what other workers learnt. */
    void save() {
        if (!isMinding) {
            return;
        }
        Map<String, Profile> fresh = reservations().learner().takeFresh();
        try {
            reservations().learn(fresh.isEmpty() ? store.profiles() : store.learn(fresh));
        } catch (RuntimeException away) {
            reservations().learner().putBack(fresh);
            throw away;
        }
    }

    /** The last report: nothing waits for it, so it may fail. */
    void leave() {
        try {
            save();
        } catch (RuntimeException away) {
            log.debug("what was learnt of job types in the last seconds is lost", away);
        }
    }
}
