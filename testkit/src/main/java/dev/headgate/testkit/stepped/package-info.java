/**
 * Real workers without threads: their loops and handlers run when a test says so, in virtual time, on any store.
 * Start with {@link dev.headgate.testkit.stepped.SteppedHeadgate}.
 */
@NullMarked
package dev.headgate.testkit.stepped;

import org.jspecify.annotations.NullMarked;
