package dev.headgate.internal.recovery;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.Attempt;
import dev.headgate.limit.Spans;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that come back because of trouble of their worker: its lease ended although its process lived, it could not start a
 * job that it was granted, or it gave its jobs back because no heartbeat came through. Such a return uses no attempt, so
 * without a bound a job could start for ever. Returns in a row are counted, each makes the job wait longer than the one
 * before, and at last the job fails with the reasons.
 *
 * <p>A worker that stops, and a start that comes too late for a limit, are no trouble and never counted.
 */
public final class WorkerTrouble {
    /** The number of returns in a row that ends the job. With the pauses between them that takes more than an hour. */
    static final int MOST = 20;

    /** The outcome of such a return among the attempts of its job. */
    public static final String RETURNED = "returned";

    /** The outcome of an attempt if its worker was lost. */
    static final String LOST = "lost";

    /** The lease of a worker ended, and the worker is alive. */
    static final String SURVIVED =
            "the lease of its worker ended although the process lived: the machine was suspended, a clock jumped, or the process stood still";

    private static final long FIRST_MICROS = Micros.of(Duration.ofSeconds(1));
    private static final long LONGEST_MICROS = Micros.of(Duration.ofMinutes(5));
    private static final int REASONS_MAX = 3;

    private WorkerTrouble() {}

    /**
     * What a return means for its job.
     *
     * @param count how many in a row this makes
     * @param pauseMicros how long the job waits before it may start again
     * @param failure why it does not start again; absent if it does
     */
    public record Consequence(
            int count,
            long pauseMicros,
            String detail,
            @Nullable String failure) {}

    /** The earlier attempts of these jobs. */
    public static Map<Long, List<Attempt>> past(StoreTransaction tx, Collection<Long> jobs) {
        return jobs.isEmpty() ? Map.of() : tx.history().attempts(jobs);
    }

    /**
     * The returns of this kind with which the past of a job ends, the latest first.
     *
     * @param lost how many losses count against the job now. Up to this number of losses between the returns is skipped, because
     *     losses have a bound of their own
     */
    static List<Attempt> inARow(List<Attempt> past, int lost) {
        List<Attempt> returns = new ArrayList<>();
        int passed = 0;
        for (Attempt attempt : past.reversed()) {
            if (attempt.outcome().equals(RETURNED)) {
                returns.add(attempt);
            } else if (!attempt.outcome().equals(LOST) || ++passed > lost) {
                break;
            }
        }
        return returns;
    }

    /** The first return waits for nothing; then 1 s, 2 s, 4 s and so on, 5 minutes at most. */
    static long pauseMicros(int count) {
        if (count < 2) {
            return 0;
        }
        return Math.min(LONGEST_MICROS, FIRST_MICROS << Math.min(count - 2, 20));
    }

    /**
     * Decides whether a job that its worker handed back may start again.
     *
     * @param lost how many losses count against the job now
     */
    public static Consequence judge(List<Attempt> past, int lost, String trouble) {
        List<Attempt> before = inARow(past, lost);
        int count = before.size() + 1;
        long pause = pauseMicros(count);
        String next = pause == 0 ? "at once" : "after " + Spans.text(Micros.duration(pause));
        String detail = "given back by its worker (%d of at most %d in a row, no attempt used; may start again %s): %s"
                .formatted(count, MOST, next, trouble);
        return new Consequence(count, pause, detail, count < MOST ? null : failure(before, trouble));
    }

    private static String failure(List<Attempt> before, String trouble) {
        Map<String, Integer> reasons = new HashMap<>(Map.of(trouble, 1));
        before.forEach(attempt -> reasons.merge(attempt.error(), 1, Integer::sum));
        Map<String, Integer> most = new LinkedHashMap<>();
        reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(REASONS_MAX)
                .forEach(reason -> most.put(reason.getKey(), reason.getValue()));
        StringBuilder text =
                new StringBuilder("its workers gave it back %d times in a row, %d is the most; no attempt ended. Why:"
                        .formatted(before.size() + 1, MOST));
        most.forEach((why, times) -> text.append(" %s (%d times);".formatted(why, times)));
        return text.append(" if its handler keeps connections of the pool that the store uses, or a write lock on a"
                        + " SQLite file, give the pool more connections, hold them for less time or give the worker a"
                        + " longer lease; then retry the job")
                .toString();
    }
}
