package dev.headgate.proof.simulation;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * All faults of a seed, in order. They depend on nothing but the seed, so that a run can be repeated with some of them left
 * out.
 */
final class Faults {
    private final Dice dice;
    private final Options options;
    private final BitSet leftOut;
    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private int number;
    private long atNanos;
    private long done;

    Faults(Options options, BitSet leftOut) {
        this.dice = Dice.of(options.seed(), 7);
        this.options = options;
        this.leftOut = leftOut;
    }

    Fault next() {
        atNanos += dice.between(1, 2 * options.faultEveryNanos());
        FaultKind kind;
        do {
            kind = kind(dice.below(total()));
        } while (options.isGentle() && kind.isTimeLost());
        return new Fault(number++, atNanos, kind, dice.below(1 << 20), dice.below(1_000));
    }

    private static int total() {
        int all = 0;
        for (FaultKind kind : FaultKind.values()) {
            all += kind.weight();
        }
        return all;
    }

    private static FaultKind kind(int roll) {
        int left = roll;
        for (FaultKind kind : FaultKind.values()) {
            left -= kind.weight();
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("weights that do not add up");
    }

    boolean isLeftOut(Fault fault) {
        return leftOut.get(fault.number());
    }

    /** It took effect. */
    void happened(FaultKind kind) {
        done++;
        counts.merge(kind, 1L, Long::sum);
    }

    /** How many have been drawn. */
    int drawn() {
        return number;
    }

    long done() {
        return done;
    }

    Map<FaultKind, Long> counts() {
        return counts;
    }
}
