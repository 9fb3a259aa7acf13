package dev.headgate.spi;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules, and the newest runs of each. */
public interface ScheduleTable {
    /** A run: the instant it stands for, and the job that was enqueued for it. One for each schedule and instant. */
    record RunRow(String schedule, long at, long job, long firedAt) {}

    /** By name. */
    List<ScheduleRow> list();

    @Nullable
    ScheduleRow find(String name);

    /** Like find, and no other transaction changes or fires it until this one ends. */
    @Nullable
    ScheduleRow lock(String name);

    /** Schedules that are due by now, the longest due first, locked; those that others hold are left out. */
    List<ScheduleRow> lockDue(long now, int limit);

    /** When the first schedule is due; absent if none will be. */
    @Nullable
    Long nextAt();

    /** False if the name is taken. */
    boolean insert(ScheduleRow row);

    /** Replaces what was asked for, and how far it is. */
    void save(ScheduleRow row);

    /** Writes how far they are. */
    void move(List<ScheduleRow> rows);

    /** Removes a schedule and what is known of its runs; its jobs stay. */
    boolean remove(String name);

    void addRuns(List<RunRow> runs);

    /** Those of the known runs of these schedules whose jobs have not ended, by schedule and instant. */
    List<RunRow> liveRuns(Collection<String> names);

    /** Newest first. */
    List<RunRow> runs(String name, int limit);

    /** The latest run that stands behind this job. */
    @Nullable
    RunRow runOf(long job);

    /** Forgets all but the newest runs of each of these schedules, but none whose job has not ended. */
    void trimRuns(Collection<String> names, int keep);
}
