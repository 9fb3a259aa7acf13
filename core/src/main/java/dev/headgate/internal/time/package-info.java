/**
 * Time and randomness behind interfaces, and store time as integers. Start with {@link
 * dev.headgate.internal.time.Ticker}.
 */
@NullMarked
package dev.headgate.internal.time;

import org.jspecify.annotations.NullMarked;
