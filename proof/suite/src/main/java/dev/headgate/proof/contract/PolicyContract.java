package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** One stored policy per gate decides for all processes, from the moment it is stored. */
public interface PolicyContract extends StoreFixture {
    @Test
    default void aPolicyIsReadBackAsItWasSet(Rig rig) {
        long before = rig.store().policies().version();
        rig.policy(
                "gate tenant:*", "concurrency 3; budget 10; rate 7/1h30m burst 2; rate 90000/1m burst 90000 by-cost");
        assertThat(rig.store().policies().policyFor(Rig.key("gate tenant:x")).text())
                .isEqualTo("concurrency 3; budget 10; rate 7/1h30m burst 2; rate 90000/1m burst 90000 by-cost");
        assertThat(rig.store().policies().version()).isGreaterThan(before);
    }

    @Test
    default void everyStoreOfTheSameDatabaseSeesANewPolicyAtOnce(Rig rig) {
        JobStore other = new JobStore(reopen(rig.time()));
        try {
            rig.enqueue(3, job("mail").gate("a"));
            ScriptedWorker worker = rig.worker("mail");
            other.setPolicy(
                    Rig.key("gate a"), dev.headgate.limit.GatePolicy.of(dev.headgate.limit.Limit.concurrency(1)));
            assertThat(worker.claim(9)).hasSize(1);
        } finally {
            other.close();
        }
    }

    @Test
    default void aLoweredLimitStopsNewStartsAndRevokesNothing(Rig rig) {
        rig.policy("gate a", "concurrency 4");
        List<JobId> ids = rig.enqueue(6, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(4)).hasSize(4);
        rig.policy("gate a", "concurrency 2");
        assertThat(worker.claim(4)).isEmpty();
        worker.finish(ids.get(0));
        worker.finish(ids.get(1));
        assertThat(worker.claim(4)).isEmpty();
        worker.finish(ids.get(2));
        assertThat(worker.claim(4)).containsExactly(ids.get(4));
    }

    @Test
    default void aRaisedLimitWakesAsManyAsFit(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        List<JobId> ids = rig.enqueue(6, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(worker.claim(9)).isEmpty();
        rig.policy("gate a", "concurrency 4");
        assertThat(worker.claim(9)).isEqualTo(ids.subList(1, 4));
    }

    @Test
    default void aRemovedPolicyWakesEverybody(Rig rig) {
        rig.policy("gate t:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(5, job("mail").gate("t:a"));
        rig.enqueue(5, job("mail").gate("t:b"));
        assertThat(worker.claim(99)).hasSize(2);
        assertThat(worker.claim(99)).isEmpty();
        rig.policy("gate t:*", "");
        assertThat(rig.store().policies().stored()).isEmpty();
        assertThat(worker.claim(99)).hasSize(8);
    }

    @Test
    default void aRaisedRateMovesItsLineAndALoweredOneHoldsItBack(Rig rig) {
        rig.policy("gate a", "rate 1/1m burst 1");
        List<JobId> ids = rig.enqueue(4, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactly(ids.get(0));
        assertThat(worker.sleep()).isEqualTo(Duration.ofMinutes(1));
        rig.policy("gate a", "");
        assertThat(worker.claim(1)).containsExactly(ids.get(1));
        rig.policy("gate a", "rate 1/1m burst 1");
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofMinutes(1));
        assertThat(worker.claim(9)).containsExactly(ids.get(2));
    }

    @Test
    default void aQueuePolicyThatIsSetWhileJobsRunCountsThem(Rig rig) {
        rig.enqueue(6, job("mail").cost(2));
        rig.enqueue(2, job("mail").gate("a").cost(2));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(4)).hasSize(4);
        rig.policy("queue mail", "concurrency 5");
        assertThat(rig.leases("queue mail")).isEqualTo(4);
        assertThat(rig.gate("queue mail").units()).isEqualTo(8);
        assertThat(worker.claim(9)).hasSize(1);
        worker.finishAll();
        assertThat(worker.claim(9)).hasSize(3);
    }

    @Test
    default void aQueuePolicyThatIsRemovedAndSetAgainCountsAnew(Rig rig) {
        rig.policy("queue mail", "concurrency 9");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(20, job("mail"));
        worker.claim(5);
        rig.policy("queue mail", "");
        worker.finish(worker.holding().getFirst());
        worker.claim(3);
        rig.policy("queue *", "concurrency 8");
        assertThat(rig.leases("queue mail")).isEqualTo(7);
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void theMostSpecificPolicyWins(Rig rig) {
        rig.policy("gate *", "concurrency 4")
                .policy("gate tenant:*", "concurrency 3")
                .policy("gate tenant:a*", "concurrency 2")
                .policy("gate tenant:acme", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        for (String gate : List.of("other", "tenant:b", "tenant:ab", "tenant:acme")) {
            rig.enqueue(9, job("mail").gate(gate));
        }
        worker.claimAll();
        assertThat(rig.leases("gate other")).isEqualTo(4);
        assertThat(rig.leases("gate tenant:b")).isEqualTo(3);
        assertThat(rig.leases("gate tenant:ab")).isEqualTo(2);
        assertThat(rig.leases("gate tenant:acme")).isEqualTo(1);
        rig.policy("gate tenant:acme", "");
        assertThat(worker.claimAll()).hasSize(1);
        rig.policy("gate tenant:acme", "concurrency 5");
        assertThat(worker.claimAll()).hasSize(3);
    }

    @Test
    default void aStarIsAStarOnlyAtTheEndOfAPolicy(Rig rig) {
        rig.policy("gate a*b", "concurrency 1").policy("gate c*", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a*b"));
        rig.enqueue(2, job("mail").gate("aXb"));
        rig.enqueue(2, job("mail").gate("c*"));
        assertThat(worker.claimAll()).hasSize(4);
    }

    @Test
    default void aChangeWakesThoseWhoListen(Rig rig) {
        List<Wake> heard = new CopyOnWriteArrayList<>();
        try (Backend.Subscription listening = rig.store().backend().listen(heard::add)) {
            rig.policy("gate a", "concurrency 1");
            assertThat(heard).contains(new Wake.Anything());
        }
    }
}
