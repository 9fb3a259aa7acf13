/**
 * Proof from the admission journal that limits were kept: {@link dev.headgate.evidence.Replay} judges, entry by entry,
 * and answers with a {@link dev.headgate.evidence.Verdict}.
 * Written without the code that admits, so that the two cannot share a mistake.
 */
@NullMarked
package dev.headgate.evidence;

import org.jspecify.annotations.NullMarked;
