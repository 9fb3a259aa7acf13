/**
 * When to try again after a failure.
 * Start with {@link dev.headgate.retry.RetryPolicy}.
 * Pure: no clock, and the dice are thrown by the caller.
 */
@NullMarked
package dev.headgate.retry;

import org.jspecify.annotations.NullMarked;
