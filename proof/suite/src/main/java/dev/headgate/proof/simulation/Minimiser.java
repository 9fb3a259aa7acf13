package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/** Finds few faults that are enough to break the same promise: leaves out ever smaller pieces as long as it still breaks. */
final class Minimiser {
    private final Options options;
    private final Function<StoreClock, Backend> opener;
    private final String invariant;
    private final long maxEvents;
    private int triesLeft;

    Minimiser(Options options, Function<StoreClock, Backend> opener, Violation violation, int triesMax) {
        this.options = options;
        this.opener = opener;
        this.invariant = violation.invariant();
        // A little longer than it took, because with fewer faults the same may come later.
        this.maxEvents = violation.atEvent() + violation.atEvent() / 2 + 1_000;
        this.triesLeft = triesMax;
    }

    /** The numbers of the faults that may be left out. */
    BitSet leftOut(int faults) {
        BitSet best = new BitSet();
        for (int piece = Math.max(1, faults / 2); piece >= 1; piece /= 2) {
            for (int from = 0; from < faults; from += piece) {
                int end = Math.min(faults, from + piece);
                if (best.nextClearBit(from) >= end) {
                    continue;
                }
                BitSet fewer = (BitSet) best.clone();
                fewer.set(from, end);
                if (breaks(fewer)) {
                    best = fewer;
                }
            }
        }
        return best;
    }

    /** The faults that are left, in order. */
    List<Fault> left(BitSet leftOut, int faults) {
        Faults all = new Faults(options, leftOut);
        List<Fault> left = new ArrayList<>();
        for (int i = 0; i < faults; i++) {
            Fault fault = all.next();
            if (!leftOut.get(i)) {
                left.add(fault);
            }
        }
        return left;
    }

    private boolean breaks(BitSet leftOut) {
        if (--triesLeft < 0) {
            return false;
        }
        Violation violation =
                new Simulation(options, opener).without(leftOut).run(maxEvents).violation();
        return violation != null && violation.invariant().equals(invariant);
    }
}
