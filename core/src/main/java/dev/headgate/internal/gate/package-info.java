/**
 * Gates inside one transaction: locked, asked, released, written back once.
 * Start with {@link dev.headgate.internal.gate.LockedGates}.
 */
@NullMarked
package dev.headgate.internal.gate;

import org.jspecify.annotations.NullMarked;
