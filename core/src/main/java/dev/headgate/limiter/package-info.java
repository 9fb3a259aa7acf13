/**
 * The same limits without the queue: ask, get a permit or the exact reason why not, give it back.
 * Start with {@link dev.headgate.limiter.Limiter}.
 * Decides nothing itself: the rules are those of {@code dev.headgate.admission}.
 */
@NullMarked
package dev.headgate.limiter;

import org.jspecify.annotations.NullMarked;
