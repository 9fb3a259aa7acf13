/**
 * When recurring work is due, as values and pure functions: start with {@link dev.headgate.schedule.Schedule}. Knows no
 * clock, no store and no thread; the only package that knows the cron library.
 */
@NullMarked
package dev.headgate.schedule;

import org.jspecify.annotations.NullMarked;
