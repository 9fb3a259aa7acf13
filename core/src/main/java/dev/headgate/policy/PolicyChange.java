package dev.headgate.policy;

import dev.headgate.limit.GateKey;

/** What one version changed under one name. */
public record PolicyChange(GateKey key, Kind kind, PolicyEntry before, PolicyEntry after) {
    /** How it came about. */
    public enum Kind {
        /** Limits were stored to last. */
        SET,
        /** What was stored was taken away. */
        REMOVE,
        /** An override was set, changed or taken away before its end. */
        OVERRIDE,
        /** An override came to its end. */
        ENDED,
        /** An older version was restored. */
        UNDO
    }
}
