/**
 * {@code headgate workflow …}: looks at runs of workflows, steers them and draws them.
 * Start with {@link dev.headgate.cli.workflow.WorkflowCommand}. Has no workflow of its own: it knows definitions by what
 * the store says of them.
 */
@NullMarked
package dev.headgate.cli.workflow;

import org.jspecify.annotations.NullMarked;
