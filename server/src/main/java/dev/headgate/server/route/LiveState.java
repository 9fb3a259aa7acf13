package dev.headgate.server.route;

import dev.headgate.internal.access.OpenStore;
import dev.headgate.Headgate;
import dev.headgate.server.once.KeysUnderWay;
import dev.headgate.server.work.RemoteWorkers;

/** What one server keeps in memory for all requests. Its death loses nothing: what must last is in the store. */
public record LiveState(RemoteWorkers workers, KeysUnderWay keys) implements AutoCloseable {
    /** For a server of this store. */
    public static LiveState of(Headgate headgate) {
        return new LiveState(new RemoteWorkers(OpenStore.of(headgate)), new KeysUnderWay());
    }

    /** Ends what waits. */
    @Override
    public void close() {
        workers.close();
    }
}
