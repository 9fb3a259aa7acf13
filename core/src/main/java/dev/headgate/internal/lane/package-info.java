/**
 * How jobs come into their lanes: doorbells, due jobs, fair shares.
 * Start with {@link dev.headgate.internal.lane.Arrivals}.
 */
@NullMarked
package dev.headgate.internal.lane;

import org.jspecify.annotations.NullMarked;
