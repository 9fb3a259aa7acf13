package dev.headgate.event;

/** A planted fault: a thread started outside the engine. */
public final class PlantedThreadStarter {
    public void go(Runnable loop) {
        Thread.ofVirtual().start(loop);
    }
}
