/**
 * Plays a backlog against policies in virtual time, with the same admission code.
 * Start with {@link dev.headgate.internal.simulate.Playback}.
 */
@NullMarked
package dev.headgate.internal.simulate;

import org.jspecify.annotations.NullMarked;
