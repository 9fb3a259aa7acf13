/**
 * The turnaround: one transaction that ends what has finished and starts what may start.
 * Start with {@link dev.headgate.internal.claim.Turnaround}.
 */
@NullMarked
package dev.headgate.internal.claim;

import org.jspecify.annotations.NullMarked;
