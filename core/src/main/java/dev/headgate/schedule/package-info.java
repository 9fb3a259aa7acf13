/**
 * When recurring work is due.
 * Start with {@link dev.headgate.schedule.Schedule}.
 */
@NullMarked
package dev.headgate.schedule;

import org.jspecify.annotations.NullMarked;
