/**
 * What a simulation found: when the backlog starts under given limits.
 * Start with {@link dev.headgate.simulate.Forecast}; {@code headgate.simulate(…)} makes one.
 */
@NullMarked
package dev.headgate.simulate;

import org.jspecify.annotations.NullMarked;
