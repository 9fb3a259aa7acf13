package dev.headgate.cli;

import dev.headgate.Headgate;

/** Registers the handlers of {@code headgate work}. */
@FunctionalInterface
public interface JobTypes {
    void register(Headgate headgate, Journal journal, Permissions permissions);
}
