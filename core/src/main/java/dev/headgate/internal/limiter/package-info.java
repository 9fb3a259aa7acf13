/**
 * Gates of the store as limiters: permits are rows.
 * Start with {@link dev.headgate.internal.limiter.PermitStore}.
 */
@NullMarked
package dev.headgate.internal.limiter;

import org.jspecify.annotations.NullMarked;
