package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A simulated process: it may stand still, die and be started again, and it has clocks of its own. */
final class Host {
    private final String name;
    private final List<Consumer<Wake>> listeners = new ArrayList<>();
    private int life;
    private boolean isUp;
    private boolean isStopping;
    private long pausedUntil;
    private long stoodStill;
    private long deafUntil;
    private long wallOffsetMicros;

    Host(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Rises with every death, so that what an earlier life had planned does not happen. */
    int life() {
        return life;
    }

    boolean isUp() {
        return isUp;
    }

    void up() {
        isUp = true;
        isStopping = false;
    }

    /** It was asked to stop: no handler starts in it any more. */
    void stopping() {
        isStopping = true;
    }

    boolean isStopping() {
        return isStopping;
    }

    /** Everything it had in memory is gone. */
    void die() {
        life++;
        isUp = false;
        pausedUntil = 0;
        deafUntil = 0;
        listeners.clear();
    }

    long pausedUntil() {
        return pausedUntil;
    }

    void pause(long now, long until) {
        stoodStill += Math.max(0, until - Math.max(now, pausedUntil));
        pausedUntil = Math.max(pausedUntil, until);
    }

    /** For how long it has stood still or will, by the pauses that have begun. */
    long stoodStill() {
        return stoodStill;
    }

    /** Until then no wake-up reaches it. */
    void deafUntil(long nanos) {
        deafUntil = nanos;
    }

    /** All is well with it. */
    void heal() {
        pausedUntil = 0;
        deafUntil = 0;
        wallOffsetMicros = 0;
    }

    /** How far the clock on its wall is off. */
    long wallOffsetMicros() {
        return wallOffsetMicros;
    }

    void skew(long micros) {
        wallOffsetMicros = micros;
    }

    Subscription listen(Consumer<Wake> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void hear(Wake wake, long now) {
        if (isUp && deafUntil <= now && pausedUntil <= now) {
            for (int i = 0; i < listeners.size(); i++) {
                listeners.get(i).accept(wake);
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
