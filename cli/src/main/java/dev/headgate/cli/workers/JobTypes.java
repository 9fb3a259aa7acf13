package dev.headgate.cli.workers;

import dev.headgate.Headgate;

/** Registers the handlers of {@code headgate work}. */
@FunctionalInterface
public interface JobTypes {
    void register(Headgate headgate, WorkLog journal, JobPermissions permissions);
}
