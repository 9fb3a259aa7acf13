package dev.headgate.handler;

import org.jspecify.annotations.Nullable;

/**
 * Like {@link JobHandler}, but what it returns is kept as the result of the job: any value that JSON can hold, up to
 * 256 KiB as text. A result that is larger or cannot be written fails the job for good, because running it again would
 * repeat the work for the same result.
 */
@FunctionalInterface
public interface JobFunction<T> {
    /** Runs one job and returns its result; null is a result as well. Throwing means the same as for {@link JobHandler}. */
    @Nullable
    Object apply(T payload, JobContext job) throws Exception;

    /** Makes ready for the first job; see {@link JobHandler#warmUp}. */
    default void warmUp() throws Exception {}

    /** A handler without a result. */
    static <T> JobFunction<T> of(JobHandler<T> handler) {
        return new JobFunction<>() {
            @Override
            public @Nullable Object apply(T payload, JobContext job) throws Exception {
                handler.handle(payload, job);
                return null;
            }

            @Override
            public void warmUp() throws Exception {
                handler.warmUp();
            }
        };
    }
}
