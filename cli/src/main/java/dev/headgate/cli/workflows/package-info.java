/**
 * {@code headgate workflow …}: looks at runs of workflows, steers them and draws them.
 * Start with {@link dev.headgate.cli.workflows.WorkflowCommand}. Has no workflow of its own: it knows definitions by what
 * the store says of them.
 */
@NullMarked
package dev.headgate.cli.workflows;

import org.jspecify.annotations.NullMarked;
