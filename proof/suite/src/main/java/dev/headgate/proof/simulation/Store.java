package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one store of a world, its clock, and the checkers that hear of every commit. */
final class Store {
    private final World.Parts parts;
    private final Timeline timeline;
    private final Options options;
    private final Faults faults;
    private final Tracks tracks;
    private final Judge judge;
    private final Changes changes = new Changes();
    private final List<Host> hosts = new ArrayList<>();
    private final Backend backend;
    private long clockOffsetMicros;
    private long furthestMicros;
    private long downUntil;
    private int latencyPerMille;
    private long latencyNanosMin = 1_000;
    private long latencyNanosMax;
    private boolean isHealed;
    private boolean hasSkipped;
    private long begunMicros;
    private long lockedMicros;
    private Runnable onSkip = () -> {};
    private final Dice locks;
    private final Dice waits;
    private Consumer<Host> onCrash = host -> {};

    Store(World.Parts parts, Function<StoreClock, Backend> opener) {
        this.parts = parts;
        this.timeline = parts.timeline();
        this.options = parts.options();
        this.faults = parts.faults();
        this.tracks = parts.tracks();
        this.judge = parts.judge();
        this.locks = Dice.of(options.seed(), 6);
        this.waits = Dice.of(options.seed(), 9);
        this.latencyPerMille = options.latencyPerMille();
        this.latencyNanosMax = options.latencyNanosMax();
        this.backend = opener.apply(this::micros);
    }

    void connect(Host host) {
        hosts.add(host);
    }

    /** Is run after every commit of a transaction that skipped a locked lane. */
    void onSkip(Runnable listener) {
        onSkip = listener;
    }

    void onCrash(Consumer<Host> listener) {
        onCrash = listener;
    }

    /** Store time. */
    long micros() {
        return options.startMicros() + timeline.now() / 1_000 + clockOffsetMicros;
    }

    long nanos() {
        return timeline.now();
    }

    void moveClock(long micros) {
        clockOffsetMicros += micros;
        furthestMicros = Math.max(furthestMicros, clockOffsetMicros);
        tracks.callers().clockMoved(micros, clockOffsetMicros < furthestMicros);
    }

    /** By how much the clock shows less than it once did: wake times that were set before are that much further away. */
    long behindMicros() {
        return furthestMicros - clockOffsetMicros;
    }

    void downUntil(long nanos) {
        downUntil = Math.max(downUntil, nanos);
    }

    boolean isDown() {
        return downUntil > timeline.now();
    }

    /** A clock that had stepped back catches up: until then gates keep to the latest time they have seen. */
    void heal() {
        isHealed = true;
        downUntil = 0;
        moveClock(furthestMicros - clockOffsetMicros);
    }

    /** From now on no call takes any time. */
    void calm() {
        latencyPerMille = 0;
    }

    /** From now on so many calls take long, there or back, and up to so long. */
    void slow(int perMille, long nanosMax) {
        latencyPerMille = perMille;
        latencyNanosMin = nanosMax / 10;
        latencyNanosMax = nanosMax;
    }

    /** Whether another transaction has locked the lane that is read next. */
    private boolean isLocked() {
        boolean isLocked = !isHealed && locks.perMille(options.lockedPerMille());
        hasSkipped |= isLocked;
        return isLocked;
    }

    /** A lock of gates: now and then it is waited for. The store's clock goes on, and no other transaction does. */
    private void waitForLock() {
        Delays delays = options.delays();
        if (!isHealed && waits.perMille(delays.lockPerMille())) {
            timeline.stall(waits.spread(1_000_000, delays.lockNanosMax()));
        }
        lockedMicros = micros();
    }

    /** A heartbeat on one of its ways, or another answer that is long in coming. */
    void delay(Dice dice, int perMille, long nanosMax) {
        if (!isHealed && dice.perMille(perMille)) {
            timeline.rest(dice.between(nanosMax / 50, nanosMax));
        }
    }

    Options options() {
        return options;
    }

    /** Most calls take no time worth speaking of; some take so long that others come between. */
    void travels(Dice dice) {
        if (dice.perMille(latencyPerMille)) {
            timeline.rest(dice.spread(latencyNanosMin, latencyNanosMax));
        }
    }

    void rest(Fault fault) {
        timeline.rest(options.leaseNanos() * 2 / 1_000 * fault.size());
    }

    void restUntil(long nanos) {
        timeline.rest(nanos - timeline.now());
    }

    void happened(Fault fault) {
        faults.happened(fault.kind());
        judge.noted(Judge.FAULT, fault.number(), fault.size(), timeline.now());
    }

    Crashed crash(Host host) {
        host.die();
        onCrash.accept(host);
        return Crashed.NOW;
    }

    /**
     * Runs a transaction and tells the checkers.
     *
     * @param sending whose call it is, and when that was sent
     * @param then is told first, with the answer: what shows in no table that is watched
     */
    <T extends @Nullable Object> T write(
            Function<StoreTransaction, T> work, Sending sending, Consumer<@Nullable Object> then) {
        T answer = backend.write(tx -> {
            begunMicros = micros();
            lockedMicros = Long.MIN_VALUE;
            changes.begin();
            hasSkipped = false;
            return work.apply(new WatchedTransaction(tx, changes, parts, this::isLocked, this::waitForLock));
        });
        parts.leases().sent(sending);
        tracks.commitAt(new Commit(begunMicros, lockedMicros, micros(), timeline.now()));
        judge.noted(Judge.COMMIT, 0, 0, timeline.now());
        then.accept(answer);
        changes.commit();
        parts.runs().committed();
        if (hasSkipped) {
            onSkip.run();
        }
        return answer;
    }

    <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return backend.read(work);
    }

    /** Without any fault, for the checkers. */
    Backend plain() {
        return backend;
    }

    void publish(Set<Wake> wakes) {
        if (wakes.size() == 1) {
            tell(wakes.iterator().next());
        } else {
            wakes.stream().sorted(Comparator.comparing(Wake::toString)).forEach(this::tell);
        }
    }

    private void tell(Wake wake) {
        for (int i = 0; i < hosts.size(); i++) {
            hosts.get(i).hear(wake, timeline.now());
        }
    }

    String describe() {
        return backend.describe();
    }

    void close() {
        backend.close();
    }
}
