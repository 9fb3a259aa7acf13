package dev.headgate.spi;

import dev.headgate.spi.FigureRow.Grain;
import java.util.Collection;
import java.util.List;

/** Figures over time, and what is asked of jobs to count those that are new. */
public interface FigureTable {
    /** Appends parts. One that is there already, by interval and source, is not written again. */
    void add(List<FigureRow> parts);

    /** Writes rows of the whole store, in place of those of the same grain and interval. */
    void put(List<FigureRow> rows);

    /** Rows of one grain in a range, in the order of intervals and sources. */
    List<FigureRow> find(Grain grain, Range range, int limit);

    /**
     * A range of intervals.
     *
     * @param from the first that is meant
     * @param source the first source that is meant of it
     * @param to the first interval that is not meant
     */
    record Range(long from, String source, long to) {
        public static Range of(long from, long to) {
            return new Range(from, "", to);
        }

        /** What comes after this row. No source has a character before the space. */
        public Range after(FigureRow row) {
            return new Range(row.at(), row.source() + " ", to);
        }
    }

    /** Rows of one grain that begin at these instants. */
    List<FigureRow> findAll(Grain grain, Collection<Long> at);

    void delete(List<FigureRow> parts);

    /** Deletes rows of one grain that begin before this instant; returns how many. */
    int prune(Grain grain, long before);

    /** The mark of a store in which no job was counted. */
    String NOTHING_COUNTED = "0 0 0 0";

    /** The text of the row that marks how far new jobs are counted. */
    String mark();

    /** The same; no other transaction reads it this way until this one ends. */
    String lockMark();

    /**
     * The greatest number of a job.
     *
     * @param isInOrder whether no job with a lower number can still be committed
     */
    record LastJob(long id, boolean isInOrder) {}

    LastJob lastJob();

    /**
     * Jobs that are alike.
     *
     * @param at when they were enqueued, if that was asked for, as the beginning of a span; else 0
     */
    record NewJobs(String queue, List<String> gates, String type, long at, long jobs) {}

    /** Counts the jobs with numbers greater than the first and up to the second, live and ended. */
    List<NewJobs> countNew(long after, long upTo);

    /** The same by when they were enqueued, for which longer rows must be read. */
    List<NewJobs> countNewByTime(long after, long upTo, long span);
}
