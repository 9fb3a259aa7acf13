package dev.headgate.handler;

import java.util.List;

/**
 * Runs several jobs of one type at once, where one call for many is cheaper than many calls: a bulk insert, one request
 * with a hundred texts. Each member is a job of its own, with its own lease, its own places at its gates, its own
 * attempts and its own outcome:
 *
 * <pre>{@code
 * headgate.handleBatch(EMBED, BatchOptions.upTo(100).linger(ofMillis(20)), members -> {
 *     List<Vector> vectors = model.embed(members.stream().map(m -> m.payload().text()).toList());
 *     for (int i = 0; i < vectors.size(); i++) {
 *         members.get(i).succeed(vectors.get(i));
 *     }
 * });
 * }</pre>
 *
 * <p>Members that were told nothing have succeeded when this returns. If it throws, that is the failure of all of them that
 * were told nothing, and means for each what it would mean for a single job: {@link RetryLater}, {@link PermanentFailure},
 * or another attempt by its retry policy.
 *
 * <p>Runs on a virtual thread of its own. A member that is cancelled or takes too long before its batch begins is not in it. Later
 * it keeps its places until it is told something or the batch ends, because its work goes on; {@link JobContext#isCancelled}
 * tells. When all that were told nothing should stop, the thread is interrupted.
 */
@FunctionalInterface
public interface BatchHandler<T> {
    /** Runs these jobs, one or more, at once. */
    void handle(List<BatchMember<T>> members) throws Exception;
}
