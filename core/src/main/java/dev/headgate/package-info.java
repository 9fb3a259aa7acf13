/**
 * The front door: open a store, register handlers, enqueue jobs, set limits, start workers.
 * Start with {@link dev.headgate.Headgate}.
 */
@NullMarked
package dev.headgate;

import org.jspecify.annotations.NullMarked;
