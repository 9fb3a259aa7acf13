package dev.headgate.limiter;

import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.time.WallClock;

/**
 * Time inside this process: never runs back, whatever is done to the machine's clock.
 *
 * @param base the machine's clock at the beginning, in microseconds; calendar quotas need to know the day
 */
record LocalTime(Ticker ticker, long zeroNanos, long base) {
    static LocalTime of(Ticker ticker) {
        return new LocalTime(ticker, ticker.nanos(), WallClock.micros());
    }

    /** Microseconds since the beginning. */
    long elapsed() {
        return (ticker.nanos() - zeroNanos) / 1_000;
    }

    /** Microseconds since 1970. */
    long micros() {
        return base + elapsed();
    }
}
