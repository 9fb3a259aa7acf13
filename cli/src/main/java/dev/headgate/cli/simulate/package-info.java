/**
 * The {@code simulate} command: what if.
 * Start with {@link dev.headgate.cli.simulate.SimulateCommand}.
 * Only reads stores.
 */
@NullMarked
package dev.headgate.cli.simulate;

import org.jspecify.annotations.NullMarked;
