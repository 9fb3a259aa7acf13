/**
 * Behaviours of other systems that users bring with them, as tests: named after the system, ours where ours is better.
 * Start with {@link dev.headgate.proof.conformance.HeadgateConformance}: the rules that are our own.
 * Like the contracts, these run on every store, in virtual time.
 */
@NullMarked
package dev.headgate.proof.conformance;

import org.jspecify.annotations.NullMarked;
