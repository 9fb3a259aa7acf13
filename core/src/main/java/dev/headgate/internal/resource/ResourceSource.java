package dev.headgate.internal.resource;

import dev.headgate.resource.Reading;

/** Where the figures of one resource come from. One that throws counts as: no room. */
public interface ResourceSource {
    Reading read();
}
