/**
 * The heart: may this job start now, and if not, when? Pure functions on integers.
 * Start with {@link dev.headgate.admission.Limit} and {@link dev.headgate.admission.ClaimPlan}.
 * No clock, no thread, no I/O, no randomness, no floating point.
 */
@NullMarked
package dev.headgate.admission;

import org.jspecify.annotations.NullMarked;
