package dev.headgate.proof.simulation;

/**
 * One fault of a world.
 *
 * @param number its place among all faults of the seed
 * @param target a number from which the part that it hits is picked
 * @param size from 0 to 999: how long, how far, how much
 */
record Fault(int number, long atNanos, FaultKind kind, int target, int size) {
    String say() {
        return "%d at %.6f s: %s (%s; target %d, size %d)"
                .formatted(number, atNanos / 1e9, kind, kind.text(), target, size);
    }
}
