package dev.headgate.internal.simulate;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;

/**
 * A job to play. Times are microseconds.
 *
 * @param rank its place among jobs of its lane and in lines; the smaller goes first
 * @param arrives when it becomes due
 * @param runs how long it has its slot: the run, and the turn that brings it back
 */
public record SimulatedJob(long id, Lane lane, long rank, Cost cost, long arrives, long runs) {}
