/**
 * {@code headgate workflow …}: shows runs of workflows, controls them and draws them. Start with {@link
 * dev.headgate.cli.workflows.WorkflowCommand}. Has no workflow of its own: it knows definitions from the store.
 */
@NullMarked
package dev.headgate.cli.workflows;

import org.jspecify.annotations.NullMarked;
