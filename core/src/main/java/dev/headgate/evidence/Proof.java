package dev.headgate.evidence;

import dev.headgate.admission.GateKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Proves that the journal of a gate is as the gate has written it, and from it that the limits were kept. */
public final class Proof {
    private Proof() {}

    /** The same with no certificate to go on from. */
    public static Verdict of(GateKey gate, Journal journal, @Nullable Instant from, @Nullable Instant to) {
        return of(gate, journal, from, to, null);
    }

    /**
     * All rows are looked at; the starts from {@code from} on and before {@code to} are judged.
     *
     * @param since the last row that a certificate proves, from which the journal must go on; absent if there is no certificate
     */
    public static Verdict of(
            GateKey gate, Journal journal, @Nullable Instant from, @Nullable Instant to, @Nullable ChainPoint since) {
        ChainedPages pages = new ChainedPages(journal, since);
        Verdict verdict = Replay.of(gate, pages, from, to);
        pages.finish();
        return verdict.with(pages.proof(), pages.findings());
    }
}
