/**
 * Replays the journal of a gate and judges each start. Shares no code with admission.
 * Start with {@link dev.headgate.internal.evidence.Proof}.
 */
@NullMarked
package dev.headgate.internal.evidence;

import org.jspecify.annotations.NullMarked;
