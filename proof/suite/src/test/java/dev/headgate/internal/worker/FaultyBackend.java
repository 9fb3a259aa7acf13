package dev.headgate.internal.worker;

import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A store whose line can be cut for some of its users, or whose answers can get lost after the work was done. */
final class FaultyBackend extends ForwardingBackend {
    private volatile BooleanSupplier isAway = () -> false;
    private volatile Supplier<RuntimeException> failure =
            () -> new StoreUnavailableException("the line is cut", new IllegalStateException("planted"));
    private volatile BooleanSupplier losesAnswer = () -> false;
    private volatile Consumer<String> afterWrite = thread -> {};
    private volatile Predicate<String> chokesOn = result -> false;
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile Runnable onRefused = () -> {};
    private volatile int refusedAt = Integer.MAX_VALUE;

    FaultyBackend(Backend sound) {
        super(sound);
    }

    /** Cuts the line for threads whose name contains this: {@code claims}, {@code heartbeats}, {@code reports}. */
    void cutOff(String role) {
        isAway = () -> Thread.currentThread().getName().contains(role);
    }

    /** Makes threads with such a name wait for the latch in the middle of a call, and then go on as if nothing was. */
    void hang(String role, CountDownLatch until) {
        isAway = () -> {
            if (Thread.currentThread().getName().contains(role)) {
                try {
                    until.await();
                } catch (InterruptedException cut) {
                    return true;
                }
            }
            return false;
        };
    }

    void cutOffAll() {
        isAway = () -> true;
    }

    /** Refuses this program altogether, as a store does whose tables a newer one has changed. */
    void refuseAll() {
        failure = () -> new StoreRefusedException("planted: stop this process");
        isAway = () -> true;
    }

    void heal() {
        isAway = () -> false;
        losesAnswer = () -> false;
    }

    /** Does the work, and then says that it did not, whenever this holds. */
    void loseAnswers(BooleanSupplier when) {
        losesAnswer = when;
    }

    /** Fails on jobs that end with such a result, as a store would that cannot keep it. */
    void choke(Predicate<String> result) {
        chokesOn = result;
    }

    /** Does this when the line has been found cut so many times. */
    void onRefused(int times, Runnable then) {
        refusedAt = times;
        onRefused = then;
    }

    /** Is told the name of the thread after each write that succeeded. */
    void afterWrite(Consumer<String> listener) {
        afterWrite = listener;
    }

    @Override
    public <T> T write(Function<StoreTransaction, T> work) {
        failIfAway();
        T answer = super.write(tx -> work.apply(new ChokingTransaction(tx, chokesOn)));
        if (losesAnswer.getAsBoolean()) {
            throw new StoreUnavailableException("the answer was lost", new IllegalStateException("planted"));
        }
        afterWrite.accept(Thread.currentThread().getName());
        return answer;
    }

    @Override
    public <T> T read(Function<StoreTransaction, T> work) {
        failIfAway();
        return super.read(work);
    }

    private void failIfAway() {
        if (isAway.getAsBoolean()) {
            if (refusals.incrementAndGet() == refusedAt) {
                onRefused.run();
            }
            throw failure.get();
        }
    }
}
