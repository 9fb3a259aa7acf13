/**
 * Real threads racing on one store, with counters of their own that catch what the store would not admit.
 * Start with {@link dev.headgate.proof.race.Race}.
 * Knows stores by {@link dev.headgate.internal.job.JobStore} only.
 */
@NullMarked
package dev.headgate.proof.race;

import org.jspecify.annotations.NullMarked;
