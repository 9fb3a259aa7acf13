/**
 * How large a pool of slots or of processes should be now, and what there is to do for it.
 * Start with {@link dev.headgate.pool.PoolRule}.
 * Pure values and rules: knows no store, no thread and no clock.
 */
@NullMarked
package dev.headgate.pool;

import org.jspecify.annotations.NullMarked;
