/**
 * The memory store: the reference model that every database store must agree with.
 * Start with {@link dev.headgate.testkit.memory.MemoryBackend}.
 * Holds no rule of its own; what a table does is said by the interfaces of {@code dev.headgate.store}.
 */
@NullMarked
package dev.headgate.testkit.memory;

import org.jspecify.annotations.NullMarked;
