/**
 * The same limits for code that is not a job.
 * Start with {@link dev.headgate.limiter.Limiter}.
 */
@NullMarked
package dev.headgate.limiter;

import org.jspecify.annotations.NullMarked;
