/**
 * The limits that users write: how many at once, how many a minute, how much of a budget.
 * Start with {@link dev.headgate.limit.Limit}.
 */
@NullMarked
package dev.headgate.limit;

import org.jspecify.annotations.NullMarked;
