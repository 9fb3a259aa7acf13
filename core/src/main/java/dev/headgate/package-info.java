/**
 * Headgate: a durable job queue that knows what may start, when, and how much at once.
 * Start with {@link dev.headgate.Headgate}; everything else is reached from there.
 * Holds no rule: it checks what it is given and hands it to the transitions and the engine.
 */
@NullMarked
package dev.headgate;

import org.jspecify.annotations.NullMarked;
