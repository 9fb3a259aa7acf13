package dev.headgate.engine;

import dev.headgate.admission.BackOff;
import dev.headgate.time.Chance;

/** Dice for back-offs: admission rolls none. */
final class Jitter {
    private Jitter() {}

    static int of(Chance chance) {
        return (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
    }
}
