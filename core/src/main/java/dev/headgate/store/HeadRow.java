package dev.headgate.store;

/** A waiting job at or near the head of its lane. */
public record HeadRow(String lane, long job, long rank, long cost) {}
