package dev.headgate.internal.time;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Source of randomness, for jitter and ids; tests replace it. Thread-safe. */
@FunctionalInterface
public interface Chance {
    Chance SYSTEM = new SecureRandom()::nextLong;

    /** Any number, uniformly distributed. */
    long next();

    /** A unique name: 128 random bits as text. */
    default String id() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(next()) + hex.toHexDigits(next());
    }
}
