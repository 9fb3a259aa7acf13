package dev.headgate.plantedright;

import dev.headgate.plantedleft.PlantedLeft;

/** A planted fault: the other half of the cycle. */
public final class PlantedRight {
    PlantedLeft left = new PlantedLeft();
}
