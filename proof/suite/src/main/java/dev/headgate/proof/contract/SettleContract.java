package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Costs by gate, and what a job says it really took. */
public interface SettleContract extends StoreFixture {
    private static EndedLease settled(ScriptedWorker worker, JobId job, long units) {
        return new EndedLease(worker.lease(job), new Outcome.Succeeded(null), Map.of("tokens", units));
    }

    @Test
    default void aJobMayCostDifferentlyAtEachGate(Rig rig) {
        rig.policy("gate requests", "budget 3").policy("gate tokens", "budget 2000");
        JobId first = rig.enqueue(job("llm").gate("requests").gate("tokens", 1500));
        JobId second = rig.enqueue(job("llm").gate("requests").gate("tokens", 501));
        JobId third = rig.enqueue(job("llm").gate("requests").cost(2));
        ScriptedWorker worker = rig.worker("llm");
        assertThat(worker.claim(9)).containsExactly(first, third);
        assertThat(rig.gate("gate tokens").units()).isEqualTo(1500);
        assertThat(rig.gate("gate requests").units()).isEqualTo(3);
        assertThat(rig.status(first).spec().cost().text()).isEqualTo("1 tokens=1500");
        worker.finish(first);
        assertThat(worker.claim(9)).containsExactly(second);
        worker.finishAll();
        assertThat(rig.store().recount()).isEmpty();
    }

    @Test
    default void aRefundLetsTheNextStartEarlier(Rig rig) {
        rig.policy("gate tokens", "window 1000/1m by-cost");
        ScriptedWorker worker = rig.worker("llm");
        JobId first = rig.enqueue(job("llm").gate("tokens", 1000));
        JobId second = rig.enqueue(job("llm").gate("tokens", 600));
        assertThat(worker.claim(9)).containsExactly(first);
        worker.turn(0, settled(worker, first, 400));
        assertThat(worker.claim(9)).containsExactly(second);
        assertThat(rig.gate("gate tokens").units()).isEqualTo(600);
    }

    @Test
    default void aDebtDelaysTheNextStart(Rig rig) {
        rig.policy("gate tokens", "rate 60/1m burst 60 by-cost");
        ScriptedWorker worker = rig.worker("llm");
        JobId first = rig.enqueue(job("llm").gate("tokens", 30));
        assertThat(worker.claim(9)).containsExactly(first);
        worker.turn(0, settled(worker, first, 90));
        JobId second = rig.enqueue(job("llm").gate("tokens", 10));
        assertThat(worker.claim(9)).isEmpty();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(40));
        rig.advance(Duration.ofSeconds(40));
        assertThat(worker.claim(9)).containsExactly(second);
    }

    @Test
    default void onlyTheHolderOfTheLeaseSettlesAndOnlyOnce(Rig rig) {
        rig.policy("gate tokens", "window 1000/1m by-cost");
        ScriptedWorker worker = rig.worker("llm");
        JobId first = rig.enqueue(job("llm").gate("tokens", 1000));
        assertThat(worker.claim(9)).containsExactly(first);
        EndedLease refund = settled(worker, first, 0);
        worker.finish(first);
        assertThat(worker.turn(0, refund).refused()).containsExactly(first.value());
        rig.enqueue(job("llm").gate("tokens", 1));
        assertThat(worker.claim(9)).isEmpty();
    }

    @Test
    default void eachAttemptIsChargedAndSettledOnItsOwn(Rig rig) {
        rig.policy("gate tokens", "window 1000/1m by-cost");
        ScriptedWorker worker = rig.worker("llm");
        JobId job = rig.enqueue(job("llm").gate("tokens", 600));
        worker.claim(1);
        worker.turn(
                0,
                new EndedLease(
                        worker.lease(job),
                        new Outcome.RetryAfter(Duration.ofSeconds(1), "again"),
                        Map.of("tokens", 300L)));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).containsExactly(job);
        worker.turn(0, settled(worker, job, 700));
        rig.enqueue(job("llm").gate("tokens", 1));
        assertThat(worker.claim(1)).isEmpty();
    }
}
