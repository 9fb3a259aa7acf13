package dev.headgate.policy;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under one name: the limits that last, and the override that replaces them for a time.
 *
 * @param lasting {@link GatePolicy#OPEN} if there are none; a pattern that covers the name then applies
 */
public record PolicyEntry(GatePolicy lasting, @Nullable PolicyOverride override) {
    /** Nothing is stored. */
    public static final PolicyEntry NOTHING = new PolicyEntry(GatePolicy.OPEN, null);

    private static final String UNTIL = "until ";

    /** Whether neither limits nor an override are stored. */
    public boolean isNothing() {
        return lasting.isOpen() && override == null;
    }

    /** The same with other limits that last. */
    public PolicyEntry withLasting(GatePolicy policy) {
        return new PolicyEntry(policy, override);
    }

    /** The same with another override, or none. */
    public PolicyEntry withOverride(@Nullable PolicyOverride other) {
        return new PolicyEntry(lasting, other);
    }

    /** Without an override that has ended. */
    public PolicyEntry at(long now) {
        return override == null || now < override.until() ? this : withOverride(null);
    }

    /** The stored form: {@code concurrency 3}, or {@code concurrency 3 | concurrency 1 until 2030-01-31T09:00:00Z}. */
    public String text() {
        return override == null
                ? lasting.stored()
                : "%s | %s %s%s"
                        .formatted(lasting.stored(), override.policy().stored(), UNTIL, override.ends())
                        .strip();
    }

    /** Reads back what {@link #text} wrote. */
    public static PolicyEntry parse(String text) {
        int bar = text.indexOf('|');
        if (bar < 0) {
            return new PolicyEntry(GatePolicy.parse(text), null);
        }
        int until = text.lastIndexOf(UNTIL);
        try {
            Instant end = Instant.parse(text.substring(until + UNTIL.length()));
            GatePolicy meanwhile = GatePolicy.parse(text.substring(bar + 1, until));
            return new PolicyEntry(
                    GatePolicy.parse(text.substring(0, bar)), new PolicyOverride(meanwhile, Micros.of(end)));
        } catch (DateTimeParseException | IndexOutOfBoundsException unreadable) {
            throw new IllegalArgumentException(
                    "policy '%s': expected LIMITS | LIMITS until INSTANT".formatted(text), unreadable);
        }
    }
}
