/**
 * The loops and threads of a worker: claim, run, heartbeat, report, maintain. Start with {@link
 * dev.headgate.internal.worker.RunningWorker}. Decides nothing about admission; every change of a job is a transition
 * of the store.
 */
@NullMarked
package dev.headgate.internal.worker;

import org.jspecify.annotations.NullMarked;
