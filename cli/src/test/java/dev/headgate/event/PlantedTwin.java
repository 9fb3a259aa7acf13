package dev.headgate.event;

/** A planted fault: an id that is the same in every container. */
public final class PlantedTwin {
    public String id() {
        return System.identityHashCode(this) + "-" + ProcessHandle.current().pid();
    }
}
