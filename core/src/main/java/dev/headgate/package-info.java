/**
 * The front door: open a store, register handlers, enqueue jobs, set limits, start workers.
 * Start with {@link dev.headgate.Headgate}.
 *
 * <p>One rule for ids that a store does not know: a method whose name begins with {@code find} returns an empty
 * {@link java.util.Optional}, every other method that takes an id throws {@link dev.headgate.NotFoundException}.
 */
@NullMarked
package dev.headgate;

import org.jspecify.annotations.NullMarked;
