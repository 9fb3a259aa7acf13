/**
 * Every transition of jobs behind one class, for the front door and for workers.
 * Start with {@link dev.headgate.internal.job.JobStore}.
 */
@NullMarked
package dev.headgate.internal.job;

import org.jspecify.annotations.NullMarked;
