package dev.headgate.internal.evidence;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JournalTable.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proves that the journal of a gate is as the gate has written it, and from it that the limits were kept. */
public final class Proof {
    private final ChainedPages pages;
    private final PolicyCheck policies;
    private final StartsCheck starts;

    private Proof(GateKey gate, Journal journal, ChainProof.@Nullable End since) {
        this.policies = new PolicyCheck(gate, journal);
        // History is read before the journal: a start that is in it is in the journal by then.
        this.starts = new StartsCheck(journal.starts(), policies);
        this.pages = new ChainedPages(journal, since);
    }

    /** The same with no certificate to go on from. */
    public static Verification of(GateKey gate, Journal journal, @Nullable Instant from, @Nullable Instant to) {
        return of(gate, journal, from, to, null);
    }

    /**
     * All rows are looked at; the starts from {@code from} on and before {@code to} are judged.
     *
     * @param since the last row that a certificate proves, from which the journal must go on; absent if there is no certificate
     */
    public static Verification of(
            GateKey gate,
            Journal journal,
            @Nullable Instant from,
            @Nullable Instant to,
            ChainProof.@Nullable End since) {
        Proof proof = new Proof(gate, journal, since);
        Verification verification = Replay.of(gate, proof::after, from, to);
        while (!proof.pages.isOver()) {
            proof.after(proof.pages.lastId());
        }
        return verification.with(
                proof.pages.proof(), proof.isComplete() ? proof.starts.compared() : 0, proof.findings());
    }

    private List<Entry> after(long id) {
        List<Entry> page = pages.after(id);
        page.forEach(policies::look);
        page.forEach(starts::look);
        return page;
    }

    /** Whether no row is broken: behind such a one nothing is looked at. */
    private boolean isComplete() {
        return pages.findings().stream().noneMatch(finding -> finding.kind().isBreak());
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(pages.findings());
        Finding otherLimits = policies.finding();
        if (otherLimits != null) {
            findings.add(otherLimits);
        }
        Finding noRow = isComplete() ? starts.finding() : null;
        if (noRow != null) {
            findings.add(noRow);
        }
        return findings;
    }
}
