package dev.headgate.transition;

import dev.headgate.admission.GateKey;

/** A gate whose stored use differs from what running jobs really hold. */
public record Drift(GateKey gate, long storedLeases, long heldLeases, long storedUnits, long heldUnits) {}
