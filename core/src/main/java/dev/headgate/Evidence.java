package dev.headgate;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.evidence.Proof;
import dev.headgate.internal.evidence.StoredJournals;
import dev.headgate.internal.job.JobStore;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Proves from the journals of gates that their limits were kept, or shows where they were not. Only gates and queues whose
 * policy says {@code journal} have one; of what started before it began, nothing is known. Reads only. Thread-safe.
 */
public final class Evidence {
    private final Backend backend;
    private final JobStore store;

    Evidence(Backend backend, JobStore store) {
        this.backend = backend;
        this.store = store;
    }

    /**
     * Checks one gate or queue: its limits, and that its journal is as the gate has written it.
     *
     * @param from judge starts from this instant on; null means from the first
     * @param to judge starts before this instant; null means up to the last
     */
    public Verification verify(GateKey gate, @Nullable Instant from, @Nullable Instant to) {
        return Proof.of(gate, StoredJournals.of(backend, gate), from, to);
    }

    /**
     * Checks several gates and queues, and reads history once for all of them.
     *
     * @param since where an earlier verification of a gate ended, {@link dev.headgate.evidence.ChainProof#end}: shows that the
     *     journal goes on from there. Kept elsewhere than in the store, it shows a journal that was rewritten as a whole
     */
    public List<Verification> verify(
            Collection<GateKey> gates,
            @Nullable Instant from,
            @Nullable Instant to,
            Map<GateKey, ChainProof.End> since) {
        return new StoredJournals(backend, gates).prove(from, to, since);
    }

    /** Every gate and queue that has a journal. */
    public List<GateKey> gates() {
        return store.journalGates();
    }
}
