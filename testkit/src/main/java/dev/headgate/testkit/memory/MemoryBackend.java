package dev.headgate.testkit.memory;

import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests and as the reference model of all stores. Everything is gone when it is; nothing else
 * differs. One transaction runs at a time, and what it did is undone if it throws. Thread-safe.
 *
 * <pre>{@code
 * VirtualTime time = new VirtualTime();
 * try (JobStore store = new JobStore(new MemoryBackend(time))) { … }
 * }</pre>
 */
public final class MemoryBackend implements Backend {
    private final MemoryTables tables;
    private final List<Runnable> subscriptions = new CopyOnWriteArrayList<>();
    private final AtomicLong statements = new AtomicLong();
    private volatile boolean isClosed;

    /** A store that reads this machine's clock. */
    public MemoryBackend() {
        this(() -> Micros.of(Instant.now()));
    }

    public MemoryBackend(StoreClock clock) {
        this(new MemoryTables(clock));
    }

    private MemoryBackend(MemoryTables tables) {
        this.tables = tables;
    }

    /** One more backend over the same jobs: what another process would open, or this one after it was closed. */
    public MemoryBackend reopen() {
        return new MemoryBackend(tables);
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return run(true, work);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return run(false, work);
    }

    private <T extends @Nullable Object> T run(boolean isWrite, Function<StoreTransaction, T> work) {
        if (isClosed) {
            throw new IllegalStateException("this store is closed; open it again with reopen()");
        }
        statements.incrementAndGet();
        return tables.run(isWrite, work);
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        throw new IllegalArgumentException(
                "the memory store has no transactions of callers, got %s; enqueue without one, or use a database store"
                        .formatted(caller.getClass().getName()));
    }

    @Override
    public void publish(Set<Wake> wakes) {
        tables.publish(wakes);
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        Runnable leave = tables.listen(listener);
        subscriptions.add(leave);
        return () -> {
            subscriptions.remove(leave);
            leave.run();
        };
    }

    @Override
    public String describe() {
        return "memory (gone when the process ends)";
    }

    /** Transactions, as a transaction here is one statement. */
    @Override
    public long statements() {
        return statements.get();
    }

    @Override
    public void close() {
        isClosed = true;
        subscriptions.forEach(Runnable::run);
        subscriptions.clear();
    }
}
