/**
 * Durable programs: their steps are jobs, so every gate applies to them.
 * Start with {@link dev.headgate.workflow.Workflow}.
 */
@NullMarked
package dev.headgate.workflow;

import org.jspecify.annotations.NullMarked;
