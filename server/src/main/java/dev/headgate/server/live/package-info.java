/**
 * What is told as it happens, to many clients for the price of one: one look at the store serves all that wait. Start with
 * {@link dev.headgate.server.live.JobEnds}.
 */
@NullMarked
package dev.headgate.server.live;

import org.jspecify.annotations.NullMarked;
