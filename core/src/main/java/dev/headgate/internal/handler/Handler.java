package dev.headgate.internal.handler;

import dev.headgate.handler.Around;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobFunction;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.job.JobType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A registered handler: the type it takes, its code, how its jobs are tried and whether they come in batches. */
public record Handler<T>(JobType<T> type, JobFunction<T> code, HandlerOptions options, BatchGroup batchGroup) {
    /** A handler to which every job comes alone. */
    public Handler(JobType<T> type, JobFunction<T> code, HandlerOptions options) {
        this(type, code, options, BatchGroup.NONE);
    }

    /** A job's payload in the form this handler takes; running it is all that is left to do. */
    public interface Task {
        @Nullable
        Object run(JobContext job) throws Exception;
    }

    /** The same with code around it; the first of the list is outermost. */
    Handler<T> within(List<Around> arounds) {
        JobFunction<T> all = code;
        for (Around around : arounds.reversed()) {
            JobFunction<T> inner = all;
            all = (payload, job) -> around.run(job, () -> inner.apply(payload, job));
        }
        return new Handler<>(type, all, options, batchGroup);
    }

    /** Prepares for the first job: loads what reads the payload, and what the handler asks for. */
    public void warmUp(JsonCodec codec) throws Exception {
        codec.warmUp(type.payload());
        code.warmUp();
    }

    /**
     * Reads the payload.
     *
     * @throws dev.headgate.job.UnreadableJsonException if it does not fit
     */
    public Task read(JsonCodec codec, String json) {
        T payload = codec.read("payload of '" + type.name() + "'", json, type.payload());
        return job -> code.apply(payload, job);
    }
}
