package dev.headgate.server.route;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.server.live.EventFeed;
import dev.headgate.server.live.JobEnds;
import dev.headgate.server.once.KeysUnderWay;
import dev.headgate.server.work.RemoteWorkers;
import dev.headgate.spi.Backend;

/** What one server keeps in memory for all requests. Its death loses nothing: what must last is in the store. */
public record LiveState(RemoteWorkers workers, KeysUnderWay keys, JobEnds ends, EventFeed feed)
        implements AutoCloseable {
    /** For a server of this store. */
    public static LiveState of(Headgate headgate) {
        Backend store = OpenStore.of(headgate);
        return new LiveState(new RemoteWorkers(store), new KeysUnderWay(), new JobEnds(store), new EventFeed(headgate));
    }

    /** Ends what waits. */
    @Override
    public void close() {
        workers.close();
        ends.close();
        feed.close();
    }
}
