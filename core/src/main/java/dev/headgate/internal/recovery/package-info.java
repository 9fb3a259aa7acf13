/**
 * Takes jobs back from workers that are gone, and limits what a worker's own trouble costs.
 * Start with {@link dev.headgate.internal.recovery.Reap}.
 */
@NullMarked
package dev.headgate.internal.recovery;

import org.jspecify.annotations.NullMarked;
