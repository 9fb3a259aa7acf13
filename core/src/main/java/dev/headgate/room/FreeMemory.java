package dev.headgate.room;

import java.nio.file.Path;
import java.util.OptionalLong;

/** How much memory there is for one process more. */
public final class FreeMemory {
    private FreeMemory() {}

    /** Bytes that the container, or else the machine, has left; absent if neither tells. */
    public static OptionalLong bytes() {
        return below(Path.of("/"));
    }

    static OptionalLong below(Path root) {
        Container.Memory memory = new Container(root).memory();
        return memory == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, memory.limit() - memory.used()));
    }
}
