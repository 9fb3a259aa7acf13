/**
 * What a worker and the store tell each other about leases: granted, ended, given up, lost.
 * Start with {@link dev.headgate.internal.lease.TurnRequest} and {@link dev.headgate.internal.lease.Turn}.
 */
@NullMarked
package dev.headgate.internal.lease;

import org.jspecify.annotations.NullMarked;
