/**
 * Durable state machines: written with {@link dev.headgate.machine.Machine#named}, started and sent events through
 * {@code headgate.machines()}.
 * An instance is a run whose step is its state; what happens to runs is in {@code dev.headgate.run}, and nothing here touches
 * a store.
 */
@NullMarked
package dev.headgate.machine;

import org.jspecify.annotations.NullMarked;
