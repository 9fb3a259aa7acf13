package dev.headgate.spi;

/** A clock for a store under test, in microseconds since 1970. In production the store reads its database's clock. */
@FunctionalInterface
public interface StoreClock {
    long micros();
}
