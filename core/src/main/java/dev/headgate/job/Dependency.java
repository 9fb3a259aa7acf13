package dev.headgate.job;

import org.jspecify.annotations.Nullable;

/**
 * One job that another one waits for, or has waited for.
 *
 * @param job the one that is waited for
 * @param unmet what becomes of the one that waits if it does not succeed
 * @param isChild whether it was enqueued together with the one that waits, as its child
 * @param state where it stands now; absent if it is no longer there
 * @param isOpen whether it still keeps the other one waiting
 */
public record Dependency(
        JobId job, Unmet unmet, boolean isChild, @Nullable JobState state, boolean isOpen) {}
