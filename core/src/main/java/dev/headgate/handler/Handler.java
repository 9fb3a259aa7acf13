package dev.headgate.handler;

import dev.headgate.codec.JsonCodec;
import dev.headgate.job.JobType;
import org.jspecify.annotations.Nullable;

/** A registered handler: the type it takes, its code and how its jobs are tried. */
public record Handler<T>(JobType<T> type, JobFunction<T> code, HandlerOptions options) {
    /** A job's payload in the form this handler takes; running it is all that is left to do. */
    public interface Task {
        @Nullable
        Object run(JobContext job) throws Exception;
    }

    /**
     * Reads the payload.
     *
     * @throws dev.headgate.codec.UnreadableJsonException if it does not fit
     */
    public Task read(JsonCodec codec, String json) {
        T payload = codec.read("payload of '" + type.name() + "'", json, type.payload());
        return job -> code.apply(payload, job);
    }
}
