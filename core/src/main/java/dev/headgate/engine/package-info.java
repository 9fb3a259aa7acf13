/**
 * The loops and threads of a worker: claim, run, keep alive, report, tidy up. Not for users.
 * Start with {@link dev.headgate.engine.RunningWorker}.
 * Decides nothing about admission; every change of a job is a transition of the store.
 */
@NullMarked
package dev.headgate.engine;

import org.jspecify.annotations.NullMarked;
