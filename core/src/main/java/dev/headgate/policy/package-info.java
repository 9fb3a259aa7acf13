/**
 * Policies as data: what a change asks for, and what the store remembers of it.
 * Start with {@link dev.headgate.policy.PolicyVersion}.
 * Knows limits, not stores.
 */
@NullMarked
package dev.headgate.policy;

import org.jspecify.annotations.NullMarked;
