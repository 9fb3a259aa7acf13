package dev.headgate.benchmarks.provider;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The wall clock in microseconds: read once, and counted on by the nanosecond clock, so it never goes back. Two processes of one machine that
 * have each read it agree for as long as they run.
 */
final class WallClock {
    private final long baseNanos = System.nanoTime();
    private final long base = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    long micros() {
        return base + (System.nanoTime() - baseNanos) / 1_000;
    }
}
