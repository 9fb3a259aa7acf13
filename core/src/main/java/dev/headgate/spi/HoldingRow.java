package dev.headgate.spi;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/** Running jobs of one lane that cost the same: how many. */
public record HoldingRow(Lane lane, Cost cost, long leases) {}
