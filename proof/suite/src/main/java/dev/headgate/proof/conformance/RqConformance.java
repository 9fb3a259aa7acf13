package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Headgate;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * What users of RQ know: a concurrency limit per key.
 *
 * <p>Tested by the JDBC stores themselves: an enqueue inside a caller's transaction that rolls back never runs.
 */
public interface RqConformance extends Conformance {
    @Test
    default void anEmptyKeyAndALimitBelowOneAreErrors(Rig rig) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("default").gate("")));
        assertThatIllegalArgumentException().isThrownBy(() -> rig.policy("gate key", "concurrency 0"));
    }

    @Test
    default void ofThreeWithALimitOfTwoTheThirdWaitsAtTheGateAndSaysSo(Rig rig) {
        rig.policy("gate key", "concurrency 2");
        List<JobId> ids = rig.enqueue(3, job("default").gate("key"));
        assertThat(rig.worker("default").claim(9)).isEqualTo(ids.subList(0, 2));
        assertThat(rig.state(ids.get(2))).isEqualTo(JobState.QUEUED);
        assertThat(rig.explain(ids.get(2)).summary()).startsWith("waiting at gate key: 2 of 2 in use");
        assertThat(rig.explain(ids.get(2)).place().gates())
                .anyMatch(gate -> gate.line().isIn());
    }

    /** What its registry lists: the ids that are allowed, and those that are limited, in order. */
    @Test
    default void theHoldersAndTheWaitersOfAKeyAreListedAndCounted(Rig rig) {
        rig.policy("gate user:*", "concurrency 2");
        ScriptedWorker worker = rig.worker("default", "high");
        List<JobId> ids = rig.enqueue(3, job("default").gate("user:1"));
        JobId elsewhere = rig.enqueue(job("high").gate("user:1"));
        JobId other = rig.enqueue(job("default").gate("user:2"));
        JobId scheduled = rig.enqueue(job("default").gate("user:1").after(Duration.ofHours(1)));
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(ids.get(0), ids.get(1), other);
        assertThat(listed(rig, JobFilter.all().holding("user:1"))).containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(listed(rig, JobFilter.all().waiting("user:1"))).containsExactly(ids.get(2), elsewhere);
        assertThat(listed(rig, JobFilter.all().holding("user:2"))).containsExactly(other);
        assertThat(listed(rig, JobFilter.all().waiting("user:2"))).isEmpty();
        assertThat(rig.leases("gate user:1")).isEqualTo(2);
        worker.finish(ids.get(0));
        assertThat(worker.claim(9)).containsExactly(ids.get(2));
        assertThat(listed(rig, JobFilter.all().holding("user:1"))).containsExactlyInAnyOrder(ids.get(1), ids.get(2));
        assertThat(listed(rig, JobFilter.all().waiting("user:1"))).containsExactly(elsewhere);
        rig.store().cancel(elsewhere);
        assertThat(listed(rig, JobFilter.all().waiting("user:1"))).isEmpty();
        assertThat(rig.state(scheduled)).as("at no gate yet").isEqualTo(JobState.SCHEDULED);
    }

    private static List<JobId> listed(Rig rig, JobFilter filter) {
        return rig.store().list(filter).stream().map(JobStatus::id).toList();
    }

    @Test
    default void theOldestOfAKeyIsFirstOverAllQueues(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("high", "low", "default");
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(rig.enqueue(job("low").gate("key")));
            ids.add(rig.enqueue(job("high").gate("key")));
            ids.add(rig.enqueue(job("default").gate("key")));
        }
        for (JobId oldest : ids) {
            assertThat(worker.claim(9)).containsExactly(oldest);
            worker.finish(oldest);
        }
    }

    @Test
    default void keysDoNotTouchEachOther(Rig rig) {
        rig.policy("gate user:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        rig.enqueue(3, job("default").gate("user:1"));
        JobId other = rig.enqueue(job("default").gate("user:2"));
        assertThat(worker.claim(9)).hasSize(2).contains(other);
    }

    @Test
    default void whatIsUnknownIsHarmless(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        JobId id = rig.enqueue(job("default").gate("key"));
        rig.worker("default").claim(1);
        assertThat(rig.store().cancel(JobId.of(999_999))).isNull();
        assertThat(rig.store().delete(JobId.of(999_999))).isNull();
        assertThat(rig.leases("gate key")).isEqualTo(1);
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void anEndOfAnyKindLetsTheNextWaiterRun(Rig rig) {
        List<BiConsumer<ScriptedWorker, JobId>> ends = List.of(
                (worker, id) -> worker.finish(id),
                (worker, id) -> worker.fail(id, "no"),
                (worker, id) -> {
                    rig.store().cancel(id);
                    worker.cancelled(id);
                },
                (worker, id) -> rig.store().delete(id));
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        List<JobId> ids = rig.enqueue(ends.size() + 1, job("default").gate("key"));
        for (int i = 0; i < ends.size(); i++) {
            assertThat(worker.claim(9)).containsExactly(ids.get(i));
            assertThat(worker.claim(9)).isEmpty();
            ends.get(i).accept(worker, ids.get(i));
        }
        assertThat(worker.claim(9)).containsExactly(ids.getLast());
    }

    @Test
    default void aWaiterThatIsCancelledOrDeletedIsGoneAndPromotesNobody(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        List<JobId> ids = rig.enqueue(4, job("default").gate("key"));
        assertThat(worker.claim(9)).containsExactly(ids.get(0));
        rig.store().cancel(ids.get(1));
        rig.store().delete(ids.get(2));
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(ids.get(0));
        assertThat(worker.claim(9)).containsExactly(ids.get(3));
        worker.finish(ids.get(3));
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.state(ids.get(1))).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().find(ids.get(2))).isNull();
    }

    @Test
    default void aScheduledJobStartsWhenDueIfFreeAndElseWaitsAtTheGateBehindTheOthers(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        JobId first = rig.enqueue(job("default").gate("key").after(Duration.ofSeconds(1)));
        JobId second = rig.enqueue(job("default").gate("key").after(Duration.ofSeconds(2)));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(first);
        List<JobId> others = rig.enqueue(2, job("default").gate("key"));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.explain(second).summary()).startsWith("waiting at gate key");
        assertThat(rig.explain(second).place().ahead()).isEqualTo(2);
        for (JobId next : List.of(first, others.get(0), others.get(1))) {
            worker.finish(next);
            assertThat(worker.claim(9)).hasSize(1).doesNotContain(next);
        }
        assertThat(worker.holding()).containsExactly(second);
    }

    @Test
    default void whatIsDueOrFreeStandsBehindWhateverWaitsAlreadyHoweverLowItsNumber(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default", "high");
        JobId parent = rig.enqueue(job("default"));
        JobId dependent = rig.enqueue(job("default").gate("key").after(parent));
        JobId scheduled = rig.enqueue(job("default").gate("key").after(Duration.ofSeconds(1)));
        JobId holder = rig.enqueue(job("default").gate("key"));
        assertThat(worker.claim(9)).containsExactly(parent, holder);
        JobId waiting = rig.enqueue(job("default").gate("key"));
        JobId elsewhere = rig.enqueue(job("high").gate("key"));
        worker.finish(parent);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).isEmpty();
        JobId younger = rig.enqueue(job("default").gate("key"));
        worker.finish(holder);
        for (JobId next : List.of(waiting, elsewhere, dependent, scheduled, younger)) {
            assertThat(worker.claim(9)).containsExactly(next);
            worker.finish(next);
        }
    }

    @Test
    default void atFrontIsHonouredAtEveryEntryAndAfterADelayedRetry(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        JobId holder = rig.enqueue(job("default").gate("key"));
        assertThat(worker.claim(9)).containsExactly(holder);
        JobId plain = rig.enqueue(job("default").gate("key"));
        JobId front = rig.enqueue(job("default").gate("key").front());
        JobId later = rig.enqueue(job("default").gate("key").front().after(Duration.ofSeconds(1)));
        worker.finish(holder);
        assertThat(worker.claim(9)).containsExactly(front);
        worker.retryAfter(front, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        List<JobId> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            order.addAll(worker.claim(9));
            worker.finishAll();
        }
        assertThat(order).containsExactly(later, front, plain);
    }

    @Test
    default void deadWorkersFreeTheirSlotsWithinOneLeaseAndAllAreRefilled(Rig rig) {
        rig.policy("gate key", "concurrency 3");
        ScriptedWorker dead = rig.worker("default");
        ScriptedWorker living = rig.worker("default");
        List<JobId> ids = rig.enqueue(6, job("default").gate("key"));
        assertThat(dead.claim(9)).hasSize(3);
        rig.store().cancel(ids.get(1));
        rig.store().delete(ids.get(2));
        dead.crash();
        assertThat(living.claim(9)).containsExactly(ids.get(3));
        rig.advance(ScriptedWorker.LEASE);
        rig.store().reap();
        assertThat(rig.state(ids.get(1))).isEqualTo(JobState.CANCELLED);
        assertThat(living.claim(9)).containsExactly(ids.get(0), ids.get(4));
        assertThat(rig.leases("gate key")).isEqualTo(3);
    }

    @Test
    default void twoProgramsThatDeclareDifferentLimitsForOneKeyNeverOverAdmit(Rig rig) {
        Headgate one = Headgate.open(rig.store().backend());
        Headgate two = Headgate.open(rig.store().backend());
        one.policies().gate("key", gate -> gate.limits("concurrency 2"));
        assertThatExceptionOfType(PolicyConflictException.class)
                .isThrownBy(() -> two.policies().gate("key", gate -> gate.limits("concurrency 5")))
                .withMessageContaining("concurrency 2")
                .withMessageContaining("concurrency 5");
        two.policies().keeping().gate("key", gate -> gate.limits("concurrency 5"));
        for (int i = 0; i < 5; i++) {
            one.enqueueJson("work", "{}", options -> options.gate("key"));
            two.enqueueJson("work", "{}", options -> options.queue("other").gate("key"));
        }
        ScriptedWorker worker = rig.worker("default", "other");
        assertThat(worker.claim(9)).as("what was stored first").hasSize(2);
        two.policies().replacing().gate("key", gate -> gate.limits("concurrency 5"));
        assertThat(worker.claim(9)).as("the rest of the new five, all at once").hasSize(3);
        one.policies().replacing().gate("key", gate -> gate.limits("concurrency 2"));
        worker.finishAll();
        assertThat(worker.claim(9)).as("as last stored").hasSize(2);
    }

    @Test
    default void aDependentCompetesForASlotOnlyAfterItsParentAndBehindTheOthers(Rig rig) {
        rig.policy("gate key", "concurrency 1");
        ScriptedWorker worker = rig.worker("default");
        JobId parent = rig.enqueue(job("default"));
        JobId dependent = rig.enqueue(job("default").gate("key").after(parent));
        JobId holder = rig.enqueue(job("default").gate("key"));
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(parent, holder);
        List<JobId> others = rig.enqueue(2, job("default").gate("key"));
        assertThat(rig.state(dependent)).as("at no gate yet").isEqualTo(JobState.AWAITING);
        worker.finish(parent);
        assertThat(worker.claim(9)).as("the slot is taken").isEmpty();
        assertThat(rig.explain(dependent).summary()).startsWith("waiting at gate key");
        worker.finish(holder);
        for (JobId next : List.of(others.get(0), others.get(1), dependent)) {
            assertThat(worker.claim(9)).containsExactly(next);
            worker.finish(next);
        }
    }
}
