package dev.headgate.internal.worker;

import dev.headgate.internal.time.Chance;
import dev.headgate.limit.BackOff;

/** Random jitter for back-offs: admission uses no randomness. */
final class Jitter {
    private Jitter() {}

    static int of(Chance chance) {
        return (int) Math.floorMod(chance.next(), (long) BackOff.JITTER_FULL);
    }
}
