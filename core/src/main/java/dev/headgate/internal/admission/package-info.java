/**
 * Decides whether a job may start now, and if not, when: deterministic state machines on integers, changed in place
 * while the gate is locked. Start with {@link dev.headgate.internal.admission.ClaimPlan} and {@link
 * dev.headgate.internal.admission.GateLedger}. No clock, no thread, no I/O, no randomness, no floating point.
 */
@NullMarked
package dev.headgate.internal.admission;

import org.jspecify.annotations.NullMarked;
