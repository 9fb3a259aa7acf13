package dev.headgate.proof.contract;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable.Entry;
import java.util.List;
import java.util.TreeSet;

/** Does what a right to write everything allows: gives the rows of a journal, as they are now, the numbers and hashes that they would have had. */
public final class RewrittenJournal {
    private RewrittenJournal() {}

    /** Rewrites the journal of one gate, of which no row was deleted in its time. */
    public static void of(Backend backend, String url, GateKey gate) throws Exception {
        JournalChain chain = JournalChain.NONE;
        for (Entry entry : backend.read(tx -> tx.journal().read(gate, 0, Integer.MAX_VALUE))) {
            Entry linked = chain.link(entry);
            chain = chain.with(linked);
            StoreDump.change(
                    url,
                    "update headgate_journal set number = %d, keep_until = %d, hash = '%s' where id = %d"
                            .formatted(
                                    linked.link().number(),
                                    linked.link().keepUntil(),
                                    linked.link().hash(),
                                    entry.id()));
        }
        JournalChain end = chain;
        backend.write(tx -> {
            GateRow row = tx.gates().lock(new TreeSet<>(List.of(gate))).get().getFirst();
            tx.gates().save(List.of(row.withJournal(end)));
            return null;
        });
    }
}
