package dev.headgate.internal.time;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Randomness as a port: jitter and ids. Thread-safe. */
@FunctionalInterface
public interface Chance {
    Chance SYSTEM = new SecureRandom()::nextLong;

    /** Any number, evenly spread. */
    long next();

    /** A name that nobody else has: 128 random bits as text. */
    default String id() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(next()) + hex.toHexDigits(next());
    }
}
