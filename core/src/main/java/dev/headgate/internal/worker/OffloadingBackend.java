package dev.headgate.internal.worker;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose work never runs on a virtual thread. Handlers on virtual threads enqueue and read: a driver that pins
 * its carrier while it waits for a lock could then stop all of them, including the one that holds the lock. A few
 * platform threads run the calls from virtual threads; all other calls go straight through.
 */
public final class OffloadingBackend implements Backend {
    private static final int THREADS_MAX = 8;

    private final Backend store;
    private final ExecutorService threads;

    public OffloadingBackend(Backend store) {
        this.store = store;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("headgate-store-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return onPlatformThread(() -> store.write(work));
    }

    @Override
    public <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
        return onPlatformThread(() -> store.writeApart(work));
    }

    @Override
    public <T extends @Nullable Object> T readApart(Function<StoreTransaction, T> work) {
        return onPlatformThread(() -> store.readApart(work));
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return onPlatformThread(() -> store.read(work));
    }

    /** Stays on the caller's thread: the transaction is the caller's, and may belong to that thread. */
    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        return store.join(caller, work);
    }

    private <T extends @Nullable Object> T onPlatformThread(Supplier<T> work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.get();
        }
        Future<T> answer = threads.submit(work::get);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException later) {
                    // The result of the work must be known, so the interruption waits.
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            case null, default -> new IllegalStateException("store work threw what it cannot throw", cause);
        };
    }

    @Override
    public void publish(Set<Wake> wakes) {
        onPlatformThread(() -> {
            store.publish(wakes);
            return true;
        });
    }

    /** Asks the store nothing, so any thread will do. */
    @Override
    public void publishHere(Set<Wake> wakes) {
        store.publishHere(wakes);
    }

    @Override
    public void foretell(Set<String> queues) {
        store.foretell(queues);
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return store.listen(listener);
    }

    @Override
    public ListenCheck checkListening() {
        return onPlatformThread(store::checkListening);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public long statements() {
        return store.statements();
    }

    /** Ends the threads, but not the store. */
    public void release() {
        threads.shutdown();
    }

    @Override
    public void close() {
        release();
        store.close();
    }
}
