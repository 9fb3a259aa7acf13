package dev.headgate.internal.time;

import java.time.Instant;

/** The machine's clock, for stores whose database is this machine. */
public final class WallClock {
    private WallClock() {}

    /** Microseconds since 1970. */
    public static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
