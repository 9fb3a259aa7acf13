/**
 * {@code headgate schedule …}: puts work that recurs into a store, looks at it and steers it.
 * Start with {@link dev.headgate.cli.schedule.ScheduleCommand}.
 */
@NullMarked
package dev.headgate.cli.schedule;

import org.jspecify.annotations.NullMarked;
