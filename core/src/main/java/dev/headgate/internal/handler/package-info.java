/**
 * Registered handlers, as a worker calls them.
 * Start with {@link dev.headgate.internal.handler.Handlers}.
 */
@NullMarked
package dev.headgate.internal.handler;

import org.jspecify.annotations.NullMarked;
