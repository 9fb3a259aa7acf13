package dev.headgate.internal.resource;

import dev.headgate.resource.Reading;

/** Where the figures of one resource come from. A source that throws counts as empty. */
public interface ResourceSource {
    Reading read();
}
