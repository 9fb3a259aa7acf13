/**
 * A whole world in one thread and virtual time, from one seed: workers with the production engine, clients, operators and
 * faults, and checkers that watch every commit and every handler.
 * Start with {@link dev.headgate.proof.simulation.Simulation}; {@link dev.headgate.proof.simulation.SimulationMain} runs many seeds.
 * Knows no particular store, no thread and no clock of this machine.
 */
@NullMarked
package dev.headgate.proof.simulation;

import org.jspecify.annotations.NullMarked;
