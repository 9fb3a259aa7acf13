package dev.headgate.testkit;

import dev.headgate.internal.time.Micros;
import dev.headgate.spi.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told to move, and may even step back. Thread-safe. */
@SuppressWarnings("exports") // a store of our own tests takes it as its clock
public final class VirtualTime implements StoreClock {
    /** Where time begins unless told otherwise. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong micros;

    public VirtualTime() {
        this(START);
    }

    public VirtualTime(Instant start) {
        this.micros = new AtomicLong(Micros.of(start));
    }

    @Override
    public long micros() {
        return micros.get();
    }

    public Instant now() {
        return Micros.instant(micros());
    }

    public VirtualTime advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time: expected to advance, got %s; use stepBack".formatted(by));
        }
        micros.addAndGet(Micros.of(by));
        return this;
    }

    /** What a badly corrected clock does. */
    public VirtualTime stepBack(Duration by) {
        micros.addAndGet(-Micros.of(by));
        return this;
    }

    public VirtualTime set(Instant to) {
        micros.set(Micros.of(to));
        return this;
    }

    @Override
    public String toString() {
        return now().toString();
    }
}
