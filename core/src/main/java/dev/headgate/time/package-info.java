/**
 * Time as a port: how long since, wake me then.
 * Start with {@link dev.headgate.time.Ticker}.
 * The only place that reads a clock of this process.
 */
@NullMarked
package dev.headgate.time;

import org.jspecify.annotations.NullMarked;
