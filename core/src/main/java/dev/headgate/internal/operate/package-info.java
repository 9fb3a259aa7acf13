/**
 * What an operator does: cancel, retry, hold, prune, recount.
 * Start with {@link dev.headgate.internal.operate.Operate}.
 */
@NullMarked
package dev.headgate.internal.operate;

import org.jspecify.annotations.NullMarked;
