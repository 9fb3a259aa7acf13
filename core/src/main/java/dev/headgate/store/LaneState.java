package dev.headgate.store;

/** Where a lane stands. Claims read READY lanes only. */
public enum LaneState {
    READY,
    WAITING,
    EMPTY
}
