package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What lies between one process and the store: calls take time, get lost before or after they are done, or end the process. */
final class Line implements Backend {
    @SuppressWarnings("StaticAssignmentOfThrowable") // its trace is not read, and would cost more than the call
    private static final StoreUnavailableException AWAY =
            new StoreUnavailableException("the store cannot be reached", new IllegalStateException("simulated"));

    private final Host host;
    private final Store store;
    private final Dice dice;
    private @Nullable Consumer<@Nullable Object> onCommit;
    private final ArrayDeque<Fault> armed = new ArrayDeque<>();
    private long lookedNanos = -1;

    /** How a call goes. */
    private enum Way {
        READ,
        WRITE,
        /** A write on a connection of its own. */
        BEAT
    }

    Line(Host host, Store store, Dice dice) {
        this.host = host;
        this.store = store;
        this.dice = dice;
    }

    /** Hits the next call. */
    void arm(Fault fault) {
        armed.add(fault);
    }

    /** Makes a call of which the checkers are told this, with its answer, as soon as it has committed. */
    <T extends @Nullable Object> T telling(Consumer<@Nullable Object> then, Supplier<T> call) {
        onCommit = then;
        try {
            return call.get();
        } finally {
            onCommit = null;
        }
    }

    void disarm() {
        armed.clear();
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return call(work, Way.WRITE);
    }

    /** A worker's heartbeats and registrations go this way. */
    @Override
    public <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
        return call(work, Way.BEAT);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        T answer = call(work, Way.READ);
        lookedNanos = store.nanos();
        return answer;
    }

    private <T extends @Nullable Object> T call(Function<StoreTransaction, T> work, Way way) {
        int life = host.life();
        if (!host.isUp()) {
            throw Crashed.NOW;
        }
        Sending sending = new Sending(host, store.nanos(), host.stoodStill());
        boolean isWrite = way != Way.READ;
        Fault fault = take(isWrite);
        goThere(way);
        if (fault != null && fault.kind() == FaultKind.SLOW_REQUEST) {
            store.rest(fault);
        }
        arrive(life);
        if (fault != null && fault.kind() == FaultKind.CRASH_BEFORE_COMMIT) {
            throw store.crash(host);
        }
        if (store.isDown() || (fault != null && fault.kind() == FaultKind.REFUSED)) {
            throw AWAY;
        }
        T answer;
        if (isWrite) {
            Consumer<@Nullable Object> then = onCommit;
            answer = store.write(work, sending, then == null ? any -> {} : then);
            onCommit = null; // not of a transaction that was given up and is tried again
        } else {
            answer = store.read(work);
        }
        if (fault != null) {
            switch (fault.kind()) {
                case CRASH_AFTER_COMMIT -> throw store.crash(host);
                case SLOW_REPLY -> store.rest(fault);
                case LOST_REPLY -> throw AWAY;
                default -> {}
            }
        }
        comeBack(way);
        arrive(life);
        return answer;
    }

    private void goThere(Way way) {
        Delays delays = store.options().delays();
        long lease = store.options().leaseNanos();
        store.travels(dice);
        if (way == Way.BEAT) {
            store.delay(dice, delays.beatPerMille() / 2, lease * 5 / 4);
        } else if (way == Way.WRITE && lookedNanos == store.nanos()) {
            store.delay(dice, delays.lookPerMille(), lease / 2);
        } else if (way == Way.WRITE) {
            store.delay(dice, delays.callPerMille() / 2, lease);
        }
    }

    private void comeBack(Way way) {
        Delays delays = store.options().delays();
        long lease = store.options().leaseNanos();
        store.travels(dice);
        if (way != Way.READ) {
            boolean isBeat = way == Way.BEAT;
            store.delay(dice, isBeat ? delays.beatPerMille() : delays.callPerMille(), isBeat ? lease * 5 / 4 : lease);
        }
    }

    /** A read has no commit to die at; such a fault waits for the next write. */
    private @Nullable Fault take(boolean isWrite) {
        Fault first = armed.peekFirst();
        if (first == null) {
            return null;
        }
        boolean isForWrites = first.kind() == FaultKind.CRASH_BEFORE_COMMIT
                || first.kind() == FaultKind.CRASH_AFTER_COMMIT
                || first.kind() == FaultKind.LOST_REPLY;
        if (isForWrites && !isWrite) {
            return null;
        }
        armed.removeFirst();
        store.happened(first);
        return first;
    }

    /** Time has passed: the process may have died meanwhile, or stand still. */
    private void arrive(int life) {
        if (host.life() == life && host.pausedUntil() > store.nanos()) {
            store.restUntil(host.pausedUntil());
        }
        if (host.life() != life) {
            throw Crashed.NOW;
        }
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        throw new IllegalArgumentException("a simulated process has no transactions of its own, got " + caller);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        if (host.isUp()) {
            store.publish(wakes);
        }
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return host.listen(listener);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public long statements() {
        return 0;
    }

    /** The store is not this process's to close. */
    @Override
    public void close() {}
}
