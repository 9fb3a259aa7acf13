/**
 * Values of runs that stay inside: moves, budgets at work.
 * Start with {@link dev.headgate.internal.run.Move}.
 */
@NullMarked
package dev.headgate.internal.run;

import org.jspecify.annotations.NullMarked;
