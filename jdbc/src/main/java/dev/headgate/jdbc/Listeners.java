package dev.headgate.jdbc;

import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.Wake;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The listeners for wakes in this process. */
public final class Listeners {
    private final List<Consumer<Wake>> all = new CopyOnWriteArrayList<>();

    public Subscription add(Consumer<Wake> listener) {
        all.add(listener);
        return () -> all.remove(listener);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public void tell(Wake wake) {
        all.forEach(listener -> listener.accept(wake));
    }
}
