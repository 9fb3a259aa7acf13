/**
 * Whole transitions of the store: enqueue, turnaround, reap, cancel and their kin, each one transaction.
 * Start with {@link dev.headgate.transition.JobStore} and {@code Turnaround}.
 * The same code runs on every database; it knows tables by {@link dev.headgate.store.StoreTransaction} only.
 */
@NullMarked
package dev.headgate.transition;

import org.jspecify.annotations.NullMarked;
