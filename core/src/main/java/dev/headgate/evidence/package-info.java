/**
 * What the journal of a gate proves about its limits.
 * Start with {@link dev.headgate.evidence.Verification}.
 */
@NullMarked
package dev.headgate.evidence;

import org.jspecify.annotations.NullMarked;
