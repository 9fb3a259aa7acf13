package dev.headgate.proof.simulation;

import dev.headgate.job.JobSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One job as the commits show it. */
final class Track {
    /** Where it stands, as far as leases are concerned. */
    enum Stand {
        WAITING,
        RUNNING,
        SUCCEEDED,
        ENDED,
        DELETED
    }

    final long id;
    final JobSpec spec;
    final GateWatch[] gates;
    final long enqueuedAt;
    Stand stand = Stand.WAITING;
    long epoch;
    int attempt;
    int lost;
    long notBefore;
    long grantedAt;
    long margin;
    boolean isCancelAsked;
    boolean isOutOfOrder;

    /** Which of all entries into lanes was its last. */
    long entry;

    @Nullable
    String worker;

    private long settledEpoch;
    private @Nullable Map<String, Long> settled;

    Track(long id, JobSpec spec, GateWatch[] gates, long enqueuedAt, long notBefore) {
        this.enqueuedAt = enqueuedAt;
        this.id = id;
        this.spec = spec;
        this.gates = gates;
        this.notBefore = notBefore;
    }

    /** Its last lease. */
    StartRef ref() {
        return new StartRef(id, epoch);
    }

    boolean isLive() {
        return stand == Stand.WAITING || stand == Stand.RUNNING;
    }

    boolean isHeldBy(@Nullable String asker, long byEpoch) {
        return stand == Stand.RUNNING && epoch == byEpoch && asker != null && asker.equals(worker);
    }

    void settles(long atEpoch, String gate, long units) {
        if (settled == null || settledEpoch != atEpoch) {
            settled = new HashMap<>();
            settledEpoch = atEpoch;
        }
        settled.put(gate, units);
    }

    /** What its handler said it took, or what it was charged. */
    long actual(String gate, long charged) {
        Map<String, Long> said = settledEpoch == epoch ? settled : null;
        return said == null ? charged : said.getOrDefault(gate, charged);
    }

    @Override
    public String toString() {
        return "job %d (%s, epoch %d, worker %s)".formatted(id, stand, epoch, worker);
    }
}
