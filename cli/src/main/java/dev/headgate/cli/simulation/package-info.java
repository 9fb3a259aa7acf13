/**
 * The {@code simulate} command: what if.
 * Start with {@link dev.headgate.cli.simulation.SimulateCommand}.
 * Only reads stores.
 */
@NullMarked
package dev.headgate.cli.simulation;

import org.jspecify.annotations.NullMarked;
