package dev.headgate.proof.contract;

import dev.headgate.proof.Rig;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The store of a rig, whose answers to writes take as long as told: time passes between a commit and its caller. */
final class SlowAnswers implements Backend {
    private final Rig rig;
    private final Backend store;
    private final ArrayDeque<Duration> delays = new ArrayDeque<>();
    private int writes;

    SlowAnswers(Rig rig) {
        this.rig = rig;
        this.store = rig.store().backend();
    }

    /** The answer to the next write without a delay of its own takes so long. */
    SlowAnswers then(Duration delay) {
        delays.add(delay);
        return this;
    }

    int writes() {
        return writes;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        T answer = store.write(work);
        writes++;
        Duration delay = delays.poll();
        if (delay != null) {
            rig.advance(delay);
        }
        return answer;
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return store.read(work);
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        return store.join(caller, work);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        store.publish(wakes);
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return store.listen(listener);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public long statements() {
        return store.statements();
    }

    @Override
    public void close() {
        store.close();
    }
}
