/**
 * What if: jobs played against policies in virtual time, by the admission code that decides for real.
 * Start with {@link dev.headgate.simulate.Simulation}.
 * Knows no store, no clock and no thread.
 */
@NullMarked
package dev.headgate.simulate;

import org.jspecify.annotations.NullMarked;
