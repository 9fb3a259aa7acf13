package dev.headgate.internal.worker;

import dev.headgate.internal.time.Chance;
import dev.headgate.limit.BackOff;

/** Dice for back-offs: admission rolls none. */
final class Jitter {
    private Jitter() {}

    static int of(Chance chance) {
        return (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
    }
}
