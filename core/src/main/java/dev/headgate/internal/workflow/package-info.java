/**
 * Moves runs on in the transaction that ended their steps.
 * Start with {@link dev.headgate.internal.workflow.Advance}.
 */
@NullMarked
package dev.headgate.internal.workflow;

import org.jspecify.annotations.NullMarked;
