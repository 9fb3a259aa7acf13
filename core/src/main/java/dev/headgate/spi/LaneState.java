package dev.headgate.spi;

/** Where a lane stands. Claims read READY lanes only; one without a waiting job has no row. */
public enum LaneState {
    READY,
    WAITING
}
