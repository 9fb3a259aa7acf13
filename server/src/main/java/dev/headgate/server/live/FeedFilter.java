package dev.headgate.server.live;

import dev.headgate.server.live.FeedEvent.Kind;
import org.jspecify.annotations.Nullable;

/** Which events a viewer wants: of one job, of one run, or of a queue, a job type, or both. */
public record FeedFilter(
        @Nullable String queue,
        @Nullable String type,
        @Nullable Long job,
        @Nullable Long run) {

    boolean passes(FeedEvent event) {
        if (job != null || run != null) {
            boolean isOfJob = event.kind() == Kind.JOB || event.kind() == Kind.NAMED_JOB;
            return (job != null && isOfJob && event.id() == job)
                    || (run != null && event.kind() == Kind.RUN && event.id() == run);
        }
        return switch (event.kind()) {
            case JOB -> isQueue(event) && (type == null || type.equals(event.type()));
            case QUEUE -> isQueue(event) && type == null;
            case NAMED_JOB -> false;
            case RUN, GATE, WORKERS, POLICIES -> queue == null && type == null;
        };
    }

    private boolean isQueue(FeedEvent event) {
        return queue == null || queue.equals(event.queue());
    }
}
