/**
 * What happens in the workers of this process, for listeners.
 * Start with {@link dev.headgate.event.Listener}.
 */
@NullMarked
package dev.headgate.event;

import org.jspecify.annotations.NullMarked;
