package dev.headgate.benchmarks.versus;

import java.util.Locale;

/** What a trial measures, in the order in which it is shown. */
enum Figure {
    DRAIN("jobs/s", true),
    BULK("jobs/s enqueued, many a call", true),
    SINGLE("jobs/s enqueued, one a call, each durable", true),
    NEAR_P50("ms from enqueue to start in one process, p50", true),
    NEAR_P99("ms from enqueue to start in one process, p99", true),
    FAR_P50("ms from enqueue to start in another process, p50", true),
    FAR_P99("ms from enqueue to start in another process, p99", true),
    COMMITS("commits/job", false),
    STATEMENTS("statements/job", false),
    WAL("WAL bytes/job", false),
    CPU("CPU s/1,000 jobs", false),
    SERVER_CPU("server CPU s/1,000", false);

    private final String unit;
    private final boolean isHeadline;

    Figure(String unit, boolean isHeadline) {
        this.unit = unit;
        this.isHeadline = isHeadline;
    }

    String unit() {
        return unit;
    }

    /** Shown in a table and a picture of its own; the others are what it costs, and stand beside the first. */
    boolean isHeadline() {
        return isHeadline;
    }

    boolean isTime() {
        return unit.startsWith("ms");
    }

    /** With as many digits as mean something. */
    static String text(double value) {
        String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
