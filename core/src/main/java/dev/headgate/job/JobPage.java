package dev.headgate.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list of jobs, in the order of its {@link JobFilter}.
 *
 * @param next where to go on, for {@link JobFilter#after}; absent if that was all
 * @param isPartial there are fewer jobs than were asked for, and there may be more: many were looked at and few of them matched
 * @param looked how many jobs were looked at, at least; 0 if an index found those that match
 */
public record JobPage(List<JobStatus> jobs, @Nullable JobCursor next, boolean isPartial, long looked) {
    /** Nothing, and no more to come. */
    public static final JobPage NONE = new JobPage(List.of(), null, false, 0);
}
