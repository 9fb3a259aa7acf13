package dev.headgate.server.work;

import dev.headgate.job.JobStatus;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a remote worker says in one call.
 *
 * @param queues names, and patterns that end in a star
 * @param types the job types that it has handlers for
 * @param slots how many jobs it runs at once at most
 * @param free how many it could start now
 * @param held what it has, without what has ended
 * @param ended what it is done with
 * @param number greater than that of each call that it sent before, so that a copy that comes late is told from a new one; 0 if it
 *     does not number them
 */
public record RemoteTurn(
        List<String> queues,
        Set<String> types,
        int slots,
        int free,
        List<LeaseRef> held,
        List<Ended> ended,
        long number) {
    public RemoteTurn {
        queues = List.copyOf(queues);
        types = Set.copyOf(types);
        held = List.copyOf(held);
        ended = List.copyOf(ended);
    }

    /**
     * A job that the worker is done with.
     *
     * @param settled how many units it really took of some of its gates
     * @param lag the time from the sending of the call that brought it to its handler; absent if not measured
     */
    public record Ended(
            LeaseRef lease,
            How how,
            Map<String, Long> settled,
            @Nullable Duration lag) {}

    /** How a job ended, in the words of a handler. */
    public sealed interface How {
        /** Its handler returned; the result is JSON text. */
        record Succeeded(@Nullable String result) implements How {}

        /** Its handler failed; it is tried again by the job's own policy, unless that makes no sense. */
        record Failed(String error, boolean isPermanent) implements How {}

        /** Its handler asks for another attempt then. */
        record Retry(@Nullable Duration delay, @Nullable Instant at, String error) implements How {}

        /** What is behind a gate, or behind its queue, pushed back. */
        record PushedBack(String gate, @Nullable Duration retryAfter, String reason) implements How {}

        /** It was asked to stop, and did. */
        record Cancelled() implements How {}

        /** It did not run to its end because the worker stops. */
        record Returned() implements How {}

        /** Its handler was not entered, because it was too late for its limits. */
        record Late() implements How {}
    }

    /** What a handler told while it ran. */
    public record Note(LeaseRef lease, JobStatus.@Nullable Progress progress, List<String> lines) {}

    /**
     * What the worker gets.
     *
     * @param leases jobs to run now
     * @param startWithin how long after the sending of the call the handler of each of these may be entered; those without a bound
     *     are not in it
     * @param refused jobs whose outcome was not taken: their lease was no longer this worker's
     * @param again jobs whose outcome is to be sent once more
     * @param stop jobs that the worker should stop
     * @param next when time alone may let another job start; absent if only an event can
     * @param mark what to wait with
     */
    public record Answer(
            List<JobRow> leases,
            Map<Long, Duration> startWithin,
            Set<Long> refused,
            Set<Long> again,
            List<Long> stop,
            @Nullable Duration next,
            String mark) {}
}
