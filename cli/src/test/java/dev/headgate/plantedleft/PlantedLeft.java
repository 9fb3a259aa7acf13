package dev.headgate.plantedleft;

import dev.headgate.plantedright.PlantedRight;

/** A planted fault: one half of a cycle. */
public final class PlantedLeft {
    PlantedRight right = new PlantedRight();
}
