package dev.headgate.internal.time;

import java.time.Duration;
import java.time.Instant;

/** Store time as whole microseconds since 1970: integers, because limits must not drift. */
public final class Micros {
    public static final long PER_SECOND = 1_000_000;

    private Micros() {}

    public static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), PER_SECOND), instant.getNano() / 1_000);
    }

    public static long of(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), PER_SECOND), duration.getNano() / 1_000);
    }

    public static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * 1_000);
    }

    public static Duration duration(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * 1_000);
    }
}
