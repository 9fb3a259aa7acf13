package dev.headgate.internal.resource;

/** Where the figures of one resource come from. A source that throws counts as empty. */
public interface ResourceSource {
    Reading read();
}
