/**
 * Headgate: a durable job queue that knows what may start, when, and how much at once.
 * This package is the front door. Everything else is reached from here.
 */
@NullMarked
package dev.headgate;

import org.jspecify.annotations.NullMarked;
