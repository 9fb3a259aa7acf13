/**
 * Durable state machines, whose instances are runs.
 * Start with {@link dev.headgate.machine.Machine}.
 */
@NullMarked
package dev.headgate.machine;

import org.jspecify.annotations.NullMarked;
