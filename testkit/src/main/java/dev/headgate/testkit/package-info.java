/**
 * For tests of your own jobs and for tests of a store: a memory store, virtual time, scripted workers, contracts.
 * Start with {@link dev.headgate.testkit.VirtualTime} and {@link dev.headgate.testkit.Rig}; a store starts with
 * {@link dev.headgate.proof.StoreFixture}.
 * Never sleeps and never reads the wall clock unless it is asked to.
 */
@NullMarked
package dev.headgate.testkit;

import org.jspecify.annotations.NullMarked;
