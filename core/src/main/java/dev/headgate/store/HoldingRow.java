package dev.headgate.store;

import dev.headgate.job.Lane;

/** Running jobs of one lane: how many, and their summed cost. */
public record HoldingRow(Lane lane, long leases, long units) {}
