package dev.headgate.event;

/** A planted fault: a clock read outside the time port. */
public final class PlantedNanoReader {
    public long now() {
        return System.nanoTime();
    }
}
