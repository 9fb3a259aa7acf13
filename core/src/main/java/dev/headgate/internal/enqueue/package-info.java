/**
 * Adds jobs. Appends rows and doorbells; locks no shared row.
 * Start with {@link dev.headgate.internal.enqueue.Enqueue}.
 */
@NullMarked
package dev.headgate.internal.enqueue;

import org.jspecify.annotations.NullMarked;
