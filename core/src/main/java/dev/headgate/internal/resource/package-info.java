/**
 * Measures what a worker has, learns what job types take, and reserves before a start.
 * Start with {@link dev.headgate.internal.resource.Reservations}.
 * Knows no thread; time is passed in.
 */
@NullMarked
package dev.headgate.internal.resource;

import org.jspecify.annotations.NullMarked;
