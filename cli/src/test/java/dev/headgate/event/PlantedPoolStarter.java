package dev.headgate.event;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A planted fault: a pool made outside the engine. */
public final class PlantedPoolStarter {
    public ExecutorService pool() {
        return Executors.newVirtualThreadPerTaskExecutor();
    }
}
