package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.io.PrintStream;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** What is printed of a world in which a promise was broken: its options, few faults that are enough, how to see it again. */
record FailureReport(Options options, Function<StoreClock, Backend> opener, String store, long maxEvents) {
    private static final int TRIES_MAX = 300;

    void print(WorldResult result, PrintStream out) {
        Violation violation = Objects.requireNonNull(result.violation(), "only a broken promise has a report");
        out.printf("seed %d breaks %s after %,d events%n", options.seed(), violation.invariant(), violation.atEvent());
        out.printf("  %s%n", violation.what());
        out.printf("  world: %s%n", options.text());
        int faults = drawn();
        Minimiser minimiser = new Minimiser(options, opener, violation, TRIES_MAX);
        BitSet leftOut = minimiser.leftOut(faults);
        List<Fault> left = minimiser.left(leftOut, faults);
        out.printf("  %d of %d faults are enough:%n", left.size(), faults);
        left.forEach(fault -> out.printf("    %s%n", fault.say()));
        out.printf("see it again: ./check sim --seed %d --events %d --store %s%n", options.seed(), maxEvents, store);
    }

    /** As many as a run of that length can meet; those beyond its end change nothing. */
    private int drawn() {
        return (int) Math.min(20_000, 50 + maxEvents / 10);
    }
}
