/**
 * What a store holds at a glance: queues, gates, backlogs.
 * Start with {@link dev.headgate.status.Overview}.
 */
@NullMarked
package dev.headgate.status;

import org.jspecify.annotations.NullMarked;
