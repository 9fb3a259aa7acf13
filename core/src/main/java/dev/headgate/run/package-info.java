/**
 * Runs of workflows and state machines, as values: numbers, states, budgets, events.
 * Start with {@link dev.headgate.run.RunStatus}.
 */
@NullMarked
package dev.headgate.run;

import org.jspecify.annotations.NullMarked;
