package dev.headgate.status;

import dev.headgate.limit.GateKey;

/** A gate whose stored use differs from what running jobs really hold. */
public record Drift(GateKey gate, long storedLeases, long heldLeases, long storedUnits, long heldUnits) {}
