package dev.headgate.admission;

/**
 * A theoretical arrival time: {@code micros + part/of} microseconds. The fraction makes 7 per second exact: after seven
 * tokens exactly one second has passed, not 999,999 or 1,000,006 microseconds.
 */
public record Tat(long micros, long part, long of) {
    public Tat {
        if (of < 1 || part < 0 || part >= of) {
            throw new IllegalArgumentException("tat: expected 0 <= part < of, got %d/%d".formatted(part, of));
        }
    }

    /** The same instant in parts of {@code newOf}; rounded up, so that a changed rate errs to strict. */
    Tat in(long newOf) {
        if (newOf == of) {
            return this;
        }
        return new Tat(part == 0 ? micros : micros + 1, 0, newOf);
    }

    boolean isAfter(long now) {
        return micros > now || (micros == now && part > 0);
    }

    /** Adds {@code parts} of a microsecond's {@code of}-th. */
    Tat plusParts(long parts) {
        long total = Math.addExact(part, parts);
        return new Tat(Math.addExact(micros, total / of), total % of, of);
    }

    String text() {
        return part == 0 ? micros + "/" + of : micros + "+" + part + "/" + of;
    }

    static Tat parse(String text) {
        int slash = text.indexOf('/');
        int plus = text.indexOf('+');
        long of = Long.parseLong(text.substring(slash + 1));
        return plus < 0
                ? new Tat(Long.parseLong(text.substring(0, slash)), 0, of)
                : new Tat(Long.parseLong(text.substring(0, plus)), Long.parseLong(text.substring(plus + 1, slash)), of);
    }
}
