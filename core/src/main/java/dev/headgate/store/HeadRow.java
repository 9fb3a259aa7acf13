package dev.headgate.store;

import dev.headgate.job.Cost;

/** A waiting job at or near the head of its lane. */
public record HeadRow(String lane, long job, long rank, Cost cost, String type) {}
