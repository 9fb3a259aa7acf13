/**
 * Code that runs jobs: what a handler gets, may say and may throw.
 * Start with {@link dev.headgate.handler.JobHandler} and {@link dev.headgate.handler.JobContext}.
 * Knows nothing of stores and threads.
 */
@NullMarked
package dev.headgate.handler;

import org.jspecify.annotations.NullMarked;
