/**
 * How large a pool of slots or processes should be: rules without a clock.
 * Start with {@link dev.headgate.internal.pool.PoolRule}.
 */
@NullMarked
package dev.headgate.internal.pool;

import org.jspecify.annotations.NullMarked;
