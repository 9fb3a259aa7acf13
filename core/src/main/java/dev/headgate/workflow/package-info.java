/**
 * Durable programs whose steps are jobs: written top to bottom with {@link dev.headgate.workflow.Workflow#named}, started
 * and watched through {@code headgate.workflows()}.
 * What happens to runs is in {@code dev.headgate.run}; nothing here touches a store.
 */
@NullMarked
package dev.headgate.workflow;

import org.jspecify.annotations.NullMarked;
