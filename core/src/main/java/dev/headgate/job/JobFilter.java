package dev.headgate.job;

import dev.headgate.job.JobSearch.Between;
import dev.headgate.job.JobSearch.Field;
import dev.headgate.job.JobSearch.Times;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list: {@code JobFilter.all().queue("mail").limit(20)}. The newest come first, except of those that
 * {@link #waiting wait at a gate}: they come in the order of its line. {@link #after} continues a page.
 */
public record JobFilter(
        @Nullable String queue,
        @Nullable String type,
        @Nullable JobState state,
        @Nullable AtGate gate,
        JobSearch search,
        @Nullable JobCursor after,
        int limit) {
    /** The most jobs of one page. */
    public static final int LIMIT_MAX = 1000;

    /** Jobs that have to do with a gate. */
    public record AtGate(String name, Part part) {
        /** What a gate is to a job. */
        public enum Part {
            /** The job names it: live or ended, whatever keeps it. */
            NAMED,
            /** The job runs and holds a place of it. */
            HOLDING,
            /** The job waits because of it: its lane stands in the gate's line. */
            WAITING
        }
    }

    public JobFilter {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit: expected 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
    }

    /** The newest 100 of all jobs. */
    public static JobFilter all() {
        return new JobFilter(null, null, null, null, JobSearch.ALL, null, 100);
    }

    /** Only jobs of this queue. */
    public JobFilter queue(String name) {
        return new JobFilter(name, type, state, gate, search, after, limit);
    }

    /** Only jobs of this type. */
    public JobFilter type(String name) {
        return new JobFilter(queue, name, state, gate, search, after, limit);
    }

    /** Only jobs in this state. */
    public JobFilter state(JobState only) {
        return new JobFilter(queue, type, only, gate, search, after, limit);
    }

    /** Only jobs that name this gate, live or ended. */
    public JobFilter gate(String name) {
        return at(new AtGate(name, AtGate.Part.NAMED));
    }

    /** Only jobs that run and hold a place of this gate. */
    public JobFilter holding(String gate) {
        return at(new AtGate(gate, AtGate.Part.HOLDING));
    }

    /**
     * Only jobs that are due and wait because of this gate, in the order of its line. Of a gate that is shared fairly, the keys
     * take turns, which this order does not show.
     */
    public JobFilter waiting(String gate) {
        return at(new AtGate(gate, AtGate.Part.WAITING));
    }

    private JobFilter at(AtGate other) {
        return new JobFilter(queue, type, state, other, search, after, limit);
    }

    /** Only jobs that this worker runs, or that ended with it; by the id of the worker. */
    public JobFilter worker(String id) {
        return searching(new JobSearch(id, search.times(), search.error(), search.payload(), search.labels()));
    }

    /** Only jobs that were enqueued from this instant on and before that one; an absent instant is no bound. */
    public JobFilter enqueued(@Nullable Instant from, @Nullable Instant to) {
        return at(new Times(
                new Between(from, to), search.times().started(), search.times().ended()));
    }

    /** The same for the start of their latest attempts. */
    public JobFilter started(@Nullable Instant from, @Nullable Instant to) {
        return at(new Times(
                search.times().enqueued(), new Between(from, to), search.times().ended()));
    }

    /** The same for their ends. */
    public JobFilter ended(@Nullable Instant from, @Nullable Instant to) {
        return at(new Times(search.times().enqueued(), search.times().started(), new Between(from, to)));
    }

    /** Only jobs whose latest error, or the reason that they are parked, contains this text. */
    public JobFilter error(String part) {
        return searching(new JobSearch(search.worker(), search.times(), part, search.payload(), search.labels()));
    }

    /** Only jobs whose payload has this value at this path: {@code payload("customer.id", "42")}; see {@link JobSearch.Field}. */
    public JobFilter payload(String path, String value) {
        return searching(new JobSearch(
                search.worker(), search.times(), search.error(), new Field(path, value), search.labels()));
    }

    /** Only jobs that have this label with this value; of several calls with other names, all count. */
    public JobFilter label(String name, String value) {
        SortedMap<String, String> labels = new TreeMap<>(search.labels());
        labels.put(name, value);
        return searching(new JobSearch(search.worker(), search.times(), search.error(), search.payload(), labels));
    }

    private JobFilter at(Times times) {
        return searching(new JobSearch(search.worker(), times, search.error(), search.payload(), search.labels()));
    }

    private JobFilter searching(JobSearch other) {
        return new JobFilter(queue, type, state, gate, other, after, limit);
    }

    /** Only jobs older than this one. */
    public JobFilter before(JobId id) {
        return after(JobCursor.below(id));
    }

    /** Only what comes after this in the order of the list: the next page. */
    public JobFilter after(JobCursor cursor) {
        return new JobFilter(queue, type, state, gate, search, cursor, limit);
    }

    /** No more jobs than this, 1 to {@value #LIMIT_MAX}. Default: 100. */
    public JobFilter limit(int most) {
        return new JobFilter(queue, type, state, gate, search, after, most);
    }

    /** Whether only live jobs can match: those that hold places of a gate or wait at it. */
    public boolean isOfLiveOnly() {
        return gate != null && gate.part() != AtGate.Part.NAMED;
    }

    /** Whether its jobs come in the order of a line. */
    public boolean isOfLine() {
        return gate != null && gate.part() == AtGate.Part.WAITING;
    }
}
