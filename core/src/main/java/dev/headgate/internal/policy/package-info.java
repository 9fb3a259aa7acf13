/**
 * Stores policies and applies a change to what already waits.
 * Start with {@link dev.headgate.internal.policy.PolicyStore}.
 */
@NullMarked
package dev.headgate.internal.policy;

import org.jspecify.annotations.NullMarked;
