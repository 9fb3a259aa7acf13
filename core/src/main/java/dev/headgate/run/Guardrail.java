package dev.headgate.run;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Spans;

/** One of the limits that keep a run, with all its children, from running away. */
public enum Guardrail {
    /** Steps entered, sleeps and waits included. */
    TRANSITIONS("maxTransitions", 100_000),
    /** Cost units of all attempts of all steps. */
    COST_UNITS("maxCostUnits", 1_000_000_000L),
    /** Attempts of all steps, the first ones included. */
    ATTEMPTS("maxAttempts", 1_000_000),
    /** Items of all fan-outs and branches. */
    FAN_OUT_ITEMS("maxFanOutItems", 10_000),
    /** Bytes of JSON in any one state. */
    STATE_BYTES("maxStateBytes", 128 * 1024, 240 * 1024),
    /** Child runs, and theirs. */
    CHILD_RUNS("maxChildRuns", 1_000),
    /** How deep children may have children. */
    DEPTH("maxDepth", 16),
    /** Microseconds from the start of the run to its end. */
    WALL_TIME("maxWallTime", Long.MAX_VALUE);

    private static final long MICROS_PER_MS = 1_000;

    private final String title;
    private final long standard;
    private final long most;

    Guardrail(String title, long standard) {
        this(title, standard, Long.MAX_VALUE);
    }

    Guardrail(String title, long standard, long most) {
        this.title = title;
        this.standard = standard;
        this.most = most;
    }

    /** Its name in builders, statuses and messages. */
    public String title() {
        return title;
    }

    /** The limit of runs that say nothing about it. */
    public long standard() {
        return standard;
    }

    /** The largest limit there can be: states travel with their jobs, so that of {@link #STATE_BYTES} is 245,760. */
    public long most() {
        return most;
    }

    /** Whether the largest single figure counts, not the sum. */
    public boolean isPeak() {
        return this == STATE_BYTES || this == DEPTH || this == WALL_TIME;
    }

    /** A figure of it, for people: a time is told as one, to the millisecond; other figures as they are. */
    public String text(long figure) {
        if (this != WALL_TIME) {
            return Long.toString(figure);
        }
        if (figure == Long.MAX_VALUE) {
            return "unlimited";
        }
        return Spans.text(Micros.duration(figure < MICROS_PER_MS ? figure : figure / MICROS_PER_MS * MICROS_PER_MS));
    }

    /** Finds a guardrail by its title. */
    public static Guardrail titled(String title) {
        for (Guardrail each : values()) {
            if (each.title.equals(title)) {
                return each;
            }
        }
        throw new IllegalArgumentException("budget: expected one of maxTransitions, maxCostUnits, maxAttempts,"
                + " maxFanOutItems, maxStateBytes, maxChildRuns, maxDepth, maxWallTime, got '%s'".formatted(title));
    }
}
