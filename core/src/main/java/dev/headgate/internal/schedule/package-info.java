/**
 * Stores schedules and turns due instants into jobs.
 * Start with {@link dev.headgate.internal.schedule.ScheduleStore}.
 */
@NullMarked
package dev.headgate.internal.schedule;

import org.jspecify.annotations.NullMarked;
