/**
 * Time and chance as ports: how long since, and any number.
 * Start with {@link dev.headgate.time.Ticker} and {@link dev.headgate.time.Chance}.
 * The only place that reads a clock of this process or throws dice.
 */
@NullMarked
package dev.headgate.time;

import org.jspecify.annotations.NullMarked;
