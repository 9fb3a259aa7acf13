package dev.headgate.event;

/** A planted fault: a class by a name that may come from anywhere. */
public final class PlantedClassFinder {
    public Class<?> find(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }
}
