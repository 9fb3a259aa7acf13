package dev.headgate.cli;

import dev.headgate.spi.Backend;

/** A planted fault: a command that works on what users cannot see. */
public final class PlantedInsider {
    public static String describe(AutoCloseable store) {
        return ((Backend) store).describe();
    }

    private PlantedInsider() {}
}
