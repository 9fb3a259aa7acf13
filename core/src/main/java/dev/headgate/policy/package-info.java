/**
 * Stored limits as data: versions, changes, overrides.
 * Start with {@link dev.headgate.policy.PolicyVersion}.
 */
@NullMarked
package dev.headgate.policy;

import org.jspecify.annotations.NullMarked;
