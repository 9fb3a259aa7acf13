package dev.headgate.evidence;

import dev.headgate.admission.GateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proves that the journal of a gate is as the gate has written it, and from it that the limits were kept. */
public final class Proof {
    private Proof() {}

    /** All rows are looked at; the starts from {@code from} on and before {@code to} are judged. */
    public static Verdict of(GateKey gate, Journal journal, @Nullable Instant from, @Nullable Instant to) {
        ChainedPages pages = new ChainedPages(journal);
        Verdict verdict = Replay.of(gate, pages, from, to);
        pages.finish();
        List<Finding> findings = new ArrayList<>();
        Finding broken = pages.finding();
        if (broken != null) {
            findings.add(broken);
        }
        return verdict.with(pages.proof(), findings);
    }
}
