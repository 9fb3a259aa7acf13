package dev.headgate.builtin;

import dev.headgate.Headgate;
import dev.headgate.handler.JobFunction;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.job.LogLine;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One job type on a real worker over a memory store: jobs run as they do in production, and tell what they threw. */
final class Bench<T> implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MemoryBackend backend = new MemoryBackend();
    private final Headgate headgate = Headgate.open(backend);
    private final JobType<T> type;
    private final CompletableFuture<Exception> thrown = new CompletableFuture<>();

    Bench(JobType<T> type, JobFunction<T> function) {
        this(type, function, PATIENCE);
    }

    /** @param drain how long running jobs may finish when it closes */
    Bench(JobType<T> type, JobFunction<T> function, Duration drain) {
        this.type = type;
        headgate.handleWithResult(type, (payload, job) -> {
            try {
                return function.apply(payload, job);
            } catch (Exception fault) {
                thrown.complete(fault);
                throw fault;
            }
        });
        headgate.worker("default").drain(drain).start();
    }

    JobId start(T payload) {
        return headgate.enqueue(type, payload).id();
    }

    /** The result of a job that succeeds. */
    <R> R result(T payload, Class<R> result) throws InterruptedException {
        return result(start(payload), result);
    }

    <R> R result(JobId id, Class<R> result) throws InterruptedException {
        JobStatus end = end(id);
        if (end.state() != JobState.SUCCEEDED) {
            throw new AssertionError("expected it to succeed, it is " + end);
        }
        return headgate.result(id, result).orElseThrow();
    }

    /** What the first attempt of a job throws. */
    Exception failure(T payload) throws Exception {
        start(payload);
        return thrown();
    }

    Exception thrown() throws Exception {
        return thrown.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    void cancel(JobId id) {
        headgate.cancel(id);
    }

    JobStatus end(JobId id) throws InterruptedException {
        return headgate.await(id, PATIENCE).orElseThrow();
    }

    List<String> log(JobId id) {
        return headgate.log(id).stream().map(LogLine::text).toList();
    }

    @Override
    public void close() {
        headgate.close();
        backend.close();
    }
}
