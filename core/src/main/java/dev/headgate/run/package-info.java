/**
 * Runs of workflows as values: where one stands, what it may spend, what has happened, and the moves it makes.
 * Start with {@link dev.headgate.run.RunStatus} and {@link dev.headgate.run.Budget}.
 * Knows nothing of stores and of how a workflow is written; that is {@code dev.headgate.workflow}.
 */
@NullMarked
package dev.headgate.run;

import org.jspecify.annotations.NullMarked;
