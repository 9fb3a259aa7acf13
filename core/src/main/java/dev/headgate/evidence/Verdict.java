package dev.headgate.evidence;

import dev.headgate.limit.GateKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal of one gate or queue says.
 *
 * @param entries how many entries were judged
 * @param begins the oldest entry there is, judged or not; absent if there is no journal. Nothing is known of earlier times
 * @param late how many starts came too late for their calls, and went back or were taken anew; they count toward nothing
 * @param limits one certificate for each limit that was in force, in order of appearance
 * @param chain which rows follow one another without a break
 * @param compared how many starts that history has were looked for in it
 * @param findings what shows that the journal is not as the gate has written it; a row that is broken is the last one looked at, so there is
 *     at most one of those
 */
public record Verdict(
        GateKey gate,
        long entries,
        @Nullable Instant begins,
        long late,
        List<Certificate> limits,
        ChainProof chain,
        long compared,
        List<Finding> findings) {
    /** Whether there is evidence at all, and none against it. */
    public boolean isGood() {
        return entries > 0 && isClean();
    }

    /** Whether nothing speaks against the gate or its journal. */
    public boolean isClean() {
        return violations() == 0 && findings.isEmpty();
    }

    public long violations() {
        return limits.stream().mapToLong(Certificate::violations).sum();
    }

    public Verdict with(ChainProof proved, long lookedFor, List<Finding> found) {
        return new Verdict(gate, entries, begins, late, limits, proved, lookedFor, List.copyOf(found));
    }
}
