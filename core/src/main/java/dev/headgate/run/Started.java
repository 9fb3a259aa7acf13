package dev.headgate.run;

/**
 * What came of starting a run.
 *
 * @param isNew false if a run with the same key was there already; then {@code id} is that one
 */
public record Started(RunId id, boolean isNew) {}
