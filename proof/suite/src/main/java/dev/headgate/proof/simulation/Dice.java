package dev.headgate.proof.simulation;

import java.util.List;

/** Chance that comes from a seed: splitmix64, small enough that every actor has its own. */
final class Dice {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    Dice(long seed) {
        this.state = mixed(seed + GOLDEN);
    }

    /** Dice of another actor: what one of them rolls never shifts what the other rolls. */
    static Dice of(long seed, long actor) {
        return new Dice(mixed(seed) ^ mixed(actor * GOLDEN + 1));
    }

    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    long next() {
        state += GOLDEN;
        return mixed(state);
    }

    /** From 0 to below the bound. */
    int below(int bound) {
        return (int) Math.floorMod(next() >>> 1, (long) bound);
    }

    /** Both ends included. */
    long between(long least, long most) {
        return least + Math.floorMod(next() >>> 1, most - least + 1);
    }

    /** Both ends included; each order of magnitude is as likely as the others. */
    long spread(long least, long most) {
        double part = (next() >>> 11) * 0x1.0p-53;
        return Math.clamp((long) (least * Math.pow((double) most / least, part)), least, most);
    }

    boolean oneIn(int times) {
        return times > 0 && below(times) == 0;
    }

    boolean perMille(int times) {
        return times > 0 && below(1_000) < times;
    }

    <T> T pick(List<T> some) {
        return some.get(below(some.size()));
    }
}
