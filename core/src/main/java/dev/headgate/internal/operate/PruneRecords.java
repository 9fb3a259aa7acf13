package dev.headgate.internal.operate;

import dev.headgate.internal.figure.FigureKeeper;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.RequestKeyTable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what was noted about policies, job types and workflows so long ago, or of tokens and permits that ended so long ago, that it is of no use any more;
 * and idempotency keys after their day.
 */
public final class PruneRecords {
    /** So many versions of the policies are kept, however old. */
    static final int VERSIONS_MIN = 1_000;

    /** What is younger is kept, however much it is. */
    static final Duration KEPT = Duration.ofDays(90);

    /** That a policy was taken away counts for so long against what a program suggests. */
    static final Duration REMOVAL_KEPT = Duration.ofDays(365);

    private static final int PERMITS_BATCH = 10_000;

    /** Beyond so many the oldest keys go, however young. */
    static final int KEYS_MAX = 10_000_000;

    private static final int BATCH_MAX = 1_000;

    private PruneRecords() {}

    /** Answers how many rows went. */
    public static int run(Backend backend) {
        int profiles = backend.write(tx -> tx.profiles().prune(tx.now() - Micros.of(KEPT)));
        int workflows = backend.write(tx -> tx.frames().pruneDefinitions(tx.now() - Micros.of(KEPT)));
        int tokens = backend.write(tx -> tx.tokens().prune(tx.now() - Micros.of(KEPT)));
        int figures = FigureKeeper.prune(backend);
        return profiles + workflows + tokens + permits(backend) + keys(backend, KEYS_MAX) + figures + versions(backend);
    }

    private static int permits(Backend backend) {
        int all = 0;
        int batch;
        do {
            batch = backend.write(tx -> tx.permits().prune(tx.now(), PERMITS_BATCH));
            all += batch;
        } while (batch == PERMITS_BATCH);
        return all;
    }

    static int keys(Backend backend, int most) {
        long upTo = backend.read(tx -> {
            Long beyond = tx.requestKeys().writtenBefore(most);
            return Math.max(tx.now() - Micros.of(RequestKeyTable.KEPT), beyond == null ? Long.MIN_VALUE : beyond);
        });
        int all = 0;
        int batch;
        do {
            batch = backend.write(tx -> tx.requestKeys().prune(upTo, BATCH_MAX));
            all += batch;
        } while (batch == BATCH_MAX);
        return all;
    }

    /**
     * First it is noted how far back nothing can be restored, while no policies change; then the rows go, without holding
     * anything up. So no restoring finds some of them gone.
     */
    private static int versions(Backend backend) {
        Long old = backend.<@Nullable Long>read(tx ->
                tx.policyTable().newestBefore(tx.policies().version() - VERSIONS_MIN, tx.now() - Micros.of(KEPT)));
        if (old == null) {
            return 0;
        }
        long upTo = backend.write(tx -> {
            long known = tx.policyTable().prunedUpTo();
            if (old > known) {
                tx.policyTable().lockForChange();
                tx.policyTable().prunedUpTo(old);
            }
            return Math.max(old, known);
        });
        return backend.write(tx -> tx.policyTable().prune(upTo, tx.now() - Micros.of(REMOVAL_KEPT)));
    }
}
