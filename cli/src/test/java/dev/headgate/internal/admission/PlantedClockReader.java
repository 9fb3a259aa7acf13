package dev.headgate.internal.admission;

import java.time.Clock;
import java.time.Instant;
import java.util.function.Supplier;

/** A planted fault: admission that asks for the time itself. */
public final class PlantedClockReader {
    final Supplier<Instant> now = Instant::now;
    final Clock clock = Clock.systemUTC();
}
