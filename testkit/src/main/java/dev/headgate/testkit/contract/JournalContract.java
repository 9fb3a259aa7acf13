package dev.headgate.testkit.contract;

import static dev.headgate.testkit.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.store.JournalTable.Entry;
import dev.headgate.store.JournalTable.Kind;
import dev.headgate.testkit.Rig;
import dev.headgate.testkit.ScriptedWorker;
import dev.headgate.testkit.StoreFixture;
import dev.headgate.transition.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Evidence of what gates let start, for those that ask for it. */
public interface JournalContract extends StoreFixture {
    private static List<Entry> entries(Rig rig, String gate) {
        return rig.store().journal(Rig.key(gate), 0, 100);
    }

    @Test
    default void oneRowPerGateAndBatchWithTheLimitsThatDecided(Rig rig) {
        rig.policy("gate a", "concurrency 3; budget 50; journal 1h").policy("gate b", "concurrency 9");
        rig.policy("queue mail", "concurrency 9; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(5, job("mail").gate("a", "b").cost(4));
        assertThat(worker.claim(9)).hasSize(3);
        Entry only = entries(rig, "gate a").getFirst();
        assertThat(entries(rig, "gate a")).hasSize(1);
        assertThat(only.kind()).isEqualTo(Kind.START);
        assertThat(List.of(only.starts(), only.units(), only.leases(), only.inUse()))
                .containsExactly(3L, 12L, 3L, 12L);
        assertThat(only.policy()).isEqualTo("concurrency 3; budget 50");
        assertThat(entries(rig, "gate b")).isEmpty();
        assertThat(entries(rig, "queue mail")).hasSize(1);
        assertThat(rig.store().journalGates()).containsExactly(Rig.key("queue mail"), Rig.key("gate a"));
    }

    @Test
    default void aSettledCostIsEvidenceToo(Rig rig) {
        rig.policy("gate tokens", "window 1000/1m by-cost; journal 1h");
        ScriptedWorker worker = rig.worker("llm");
        JobId first = rig.enqueue(job("llm").gate("tokens", 700));
        worker.claim(1);
        worker.turn(0, new Ended(worker.lease(first), new Outcome.Succeeded(null), Map.of("tokens", 200L)));
        assertThat(entries(rig, "gate tokens")).extracting(Entry::kind).containsExactly(Kind.START, Kind.SETTLE);
        assertThat(entries(rig, "gate tokens").get(1).units()).isEqualTo(-500);
    }

    @Test
    default void entriesAreKeptAsLongAsThePolicySaid(Rig rig) {
        rig.policy("gate a", "concurrency 3; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a"));
        worker.claim(1);
        rig.advance(Duration.ofMinutes(30));
        worker.claim(1);
        rig.advance(Duration.ofMinutes(31));
        assertThat(rig.store().pruneJournal()).isEqualTo(1);
        assertThat(entries(rig, "gate a")).hasSize(1);
    }
}
