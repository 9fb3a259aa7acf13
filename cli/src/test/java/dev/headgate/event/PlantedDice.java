package dev.headgate.event;

import java.util.Random;

/** A planted fault: chance that no seed controls. */
public final class PlantedDice {
    public int roll() {
        return new Random().nextInt(6);
    }
}
