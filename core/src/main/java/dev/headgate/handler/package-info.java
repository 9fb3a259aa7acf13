/**
 * What a handler receives, returns and throws.
 * Start with {@link dev.headgate.handler.JobHandler}.
 */
@NullMarked
package dev.headgate.handler;

import org.jspecify.annotations.NullMarked;
