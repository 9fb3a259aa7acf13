/**
 * {@code headgate schedule …}: puts work that recurs into a store, looks at it and steers it.
 * Start with {@link dev.headgate.cli.schedules.ScheduleCommand}.
 */
@NullMarked
package dev.headgate.cli.schedules;

import org.jspecify.annotations.NullMarked;
