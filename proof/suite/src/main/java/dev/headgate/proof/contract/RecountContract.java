package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.GateRow;
import dev.headgate.status.Drift;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What gates say is in use is what running jobs hold. (Every test of every contract ends with this question too.) */
public interface RecountContract extends StoreFixture {
    @Test
    default void noWayOutOfALeaseLeavesADrift(Rig rig) {
        rig.policy("gate a", "budget 100").policy("queue mail", "concurrency 50");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(9, job("mail").gate("a", "b").cost(4));
        worker.claim(9);
        worker.finish(ids.get(0));
        worker.fail(ids.get(1), "no");
        worker.retryAfter(ids.get(2), Duration.ofSeconds(1));
        worker.retryNow(ids.get(3));
        worker.handBack(ids.get(4));
        worker.cancelled(ids.get(5));
        rig.store().delete(ids.get(6));
        assertThat(rig.store().recount()).isEmpty();
        assertThat(rig.gate("gate a").units()).isEqualTo(12);
        rig.lose(worker);
        assertThat(rig.store().recount()).isEmpty();
        assertThat(rig.gate("gate a").units()).isZero();
    }

    @Test
    default void gatesWithoutAPolicyAreCountedToo(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(3, job("mail").gate("open").cost(2));
        worker.claim(2);
        assertThat(rig.leases("gate open")).isEqualTo(2);
        assertThat(rig.gate("gate open").units()).isEqualTo(4);
    }

    @Test
    default void aTamperedGateIsFound(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").gate("a").cost(2));
        worker.claim(1);
        GateKey key = GateKey.gate("a");
        tamper(rig, key, 5, 9);
        assertThat(rig.store().recount()).containsExactly(new Drift(key, 5, 1, 9, 2));
        tamper(rig, key, 1, 2);
        worker.finish(id);
    }

    private static void tamper(Rig rig, GateKey key, long leases, long units) {
        rig.store().backend().write(tx -> {
            GateRow row = tx.gates().lock(new TreeSet<>(List.of(key))).get().getFirst();
            tx.gates().save(List.of(row.withUse(leases, units)));
            return null;
        });
    }
}
