package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Worker;
import dev.headgate.internal.pool.PoolRule;
import dev.headgate.internal.pool.PoolSample;
import dev.headgate.internal.pool.PoolState;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.resource.PoolBounds;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What users of Queuety know: groups with a limit, and budgets of weighted jobs on queues and groups.
 *
 * <p>The sources of memory figures are in ContainerTest, sizes of pools without a store in PoolRuleTest, limits of runs in
 * {@link QueuetyWorkflowConformance}.
 */
public interface QueuetyConformance extends Conformance {
    @Test
    default void theNextOfAFullGroupIsDeniedAndTheReasonNamesTheGroup(Rig rig) {
        rig.policy("gate group:reports", "concurrency 1");
        List<JobId> ids = rig.enqueue(2, job("q").gate("group:reports"));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(5)).containsExactly(ids.getFirst());
        assertThat(rig.explain(ids.getLast()).summary()).startsWith("waiting at gate group:reports: 1 of 1 in use");
    }

    @Test
    default void aPoolOfTwoToSixFollowsWhatCouldStart(Rig rig) {
        PoolBounds bounds = PoolBounds.between(2, 6).step(4).idleGrace(Duration.ZERO);
        BacklogStore backlog = new BacklogStore(rig.store().backend());
        rig.enqueue(4, job("q"));
        assertThat(size(bounds, backlog)).isEqualTo(4);
        rig.enqueue(16, job("q"));
        assertThat(size(bounds, backlog)).isEqualTo(6);
        rig.store().policyStore().pause(Pause.queue("q"), "ada", "a test");
        assertThat(size(bounds, backlog)).as("only a paused queue").isEqualTo(2);
        assertThat(PoolBounds.fixed(0).faults("slots", 10)).isNotEmpty();
    }

    @Test
    default void aPoolShrinksWhenItsWorkIsDoneAndItsGraceIsOver(Rig rig) {
        PoolBounds bounds =
                PoolBounds.between(2, 6).step(4).cooldown(Duration.ofSeconds(5)).idleGrace(Duration.ofSeconds(15));
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            stepped.headgate().handle(JobType.of("work", Object.class), (nothing, job) -> {});
            Worker worker = stepped.headgate().worker("q").slots(bounds).start();
            assertThat(stepped.claim()).isEmpty();
            assertThat(worker.slots()).isEqualTo(2);
            rig.enqueue(20, job("q"));
            stepped.claim();
            while (worker.slots() < 6) {
                rig.time().advance(Duration.ofSeconds(5));
                stepped.claim();
                assertThat(rig.time().now()).isBefore(VirtualTime.START.plusSeconds(60));
            }
            stepped.run();
            assertThat(rig.count("q", JobState.SUCCEEDED)).isEqualTo(20);
            stepped.runFor(Duration.ofSeconds(5));
            assertThat(worker.slots()).as("within its grace").isEqualTo(6);
            stepped.runFor(Duration.ofSeconds(30));
            assertThat(worker.slots()).as("idle for longer than its grace").isEqualTo(2);
        }
    }

    @Test
    default void aPoolKeepsItsSizeWhileMemoryIsShortAndGrowsWhenThereIsSome(Rig rig) {
        PoolBounds bounds = PoolBounds.between(3, 6).step(4).cooldown(Duration.ZERO);
        rig.enqueue(8, job("q"));
        int backlog = new BacklogStore(rig.store().backend()).admissible(List.of("q"), bounds.max());
        PoolState before = PoolState.first(bounds, 0);
        assertThat(PoolRule.next(bounds, before, new PoolSample(0, 0, backlog, true))
                        .size())
                .isEqualTo(3);
        assertThat(PoolRule.next(bounds, before, new PoolSample(0, 0, backlog, false))
                        .size())
                .isEqualTo(6);
    }

    private static int size(PoolBounds bounds, BacklogStore backlog) {
        PoolState idle = PoolState.first(bounds, -bounds.cooldown().toNanos());
        int waiting = backlog.admissible(List.of("q"), bounds.max());
        return PoolRule.next(bounds, idle, new PoolSample(0, 0, waiting, false)).size();
    }

    @Test
    default void aPeakAboveTheWorkersCeilingIsNotStartedThere(Rig rig) {
        long most = Runtime.getRuntime().maxMemory();
        ScriptedWorker worker = rig.worker("q").room(Headroom.system(), Map.of("big", Needs.memory(2 * most)));
        JobId big = rig.enqueue(job("q").type("big"));
        JobId small = rig.enqueue(job("q").type("small"));
        assertThat(worker.claim(5)).containsExactly(small);
        assertThat(rig.status(big).leases().attempt()).isZero();
        assertThat(rig.explain(big).summary()).contains("too big for every known worker: needs memory");
    }

    @Test
    default void aPeakThatWasLearnedDoesNotStartBesideWhatIsReservedAndRunsWhereThereIsRoom(Rig rig) {
        Profile heavy = new Profile();
        Profile light = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            heavy.used(Needs.mb(32));
            light.used(1_000);
        }
        new ResourceStore(rig.store().backend()).learn(Map.of("heavy", heavy, "light", light));
        ScriptedWorker worker = rig.worker("q").room(Headroom.system().memory(Needs.mb(64)), Map.of());
        worker.learn();
        List<JobId> big = rig.enqueue(2, job("q").type("heavy"));
        JobId small = rig.enqueue(job("q").type("light"));
        assertThat(worker.claim(5)).containsExactly(big.getFirst(), small);
        assertThat(worker.passedOver()).isEqualTo(1);
        assertThat(rig.status(big.getLast()).leases().attempt()).isZero();
        worker.tellRoom();
        assertThat(rig.explain(big.getLast()).summary()).contains("memory");
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(big.getLast());
    }

    @Test
    default void aPeakThatWasLearnedAndFitsNowhereStartsWhereNothingElseRuns(Rig rig) {
        Profile heavy = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            heavy.used(Needs.mb(500));
        }
        new ResourceStore(rig.store().backend()).learn(Map.of("heavy", heavy));
        ScriptedWorker worker = rig.worker("q").room(Headroom.system().memory(Needs.mb(64)), Map.of());
        worker.learn();
        JobId small = rig.enqueue(job("q").type("light"));
        JobId big = rig.enqueue(job("q").type("heavy"));
        assertThat(worker.claim(5)).containsExactly(small);
        worker.finish(small);
        assertThat(worker.claim(5)).as("what was measured may be too high").containsExactly(big);
    }

    @Test
    default void aRunTimeBeyondTheTimeLeftOfAOneShotIsNotStarted(Rig rig) {
        Profile slow = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            slow.took(20_000_000);
        }
        new ResourceStore(rig.store().backend()).learn(Map.of("slow", slow));
        ScriptedWorker worker = rig.worker("q").until(Duration.ofSeconds(10));
        worker.learn();
        rig.enqueue(job("q").type("slow"));
        assertThat(worker.claim(5)).isEmpty();
        assertThat(rig.worker("q").claim(5)).hasSize(1);
    }

    @Test
    default void aQueueBudgetOfFiveWithFourActiveDeniesTwo(Rig rig) {
        rig.policy("queue q", "budget 5");
        rig.enqueue(job("q").cost(4));
        JobId two = rig.enqueue(job("q").cost(2));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(5)).doesNotContain(two).hasSize(1);
        assertThat(rig.explain(two).summary()).startsWith("waiting at queue q: 4 of 5 units in use, 2 asked");
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(two);
    }

    @Test
    default void aGroupBudgetOfFiveWithFourActiveDeniesTwoAndTakesOne(Rig rig) {
        rig.policy("gate group:gpu", "budget 5");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(job("q").gate("group:gpu").cost(4));
        assertThat(worker.claim(5)).hasSize(1);
        JobId two = rig.enqueue(job("q").gate("group:gpu").cost(2));
        assertThat(worker.claim(5)).isEmpty();
        assertThat(rig.explain(two).summary()).startsWith("waiting at gate group:gpu: 4 of 5 units in use, 2 asked");
        rig.store().cancel(two);
        JobId one = rig.enqueue(job("q").gate("group:gpu").cost(1));
        assertThat(worker.claim(5)).as("equality is allowed").containsExactly(one);
    }

    @Test
    default void aBudgetAndAGroupLimitHoldTogether(Rig rig) {
        rig.policy("queue q", "budget 10").policy("gate group:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> a = rig.enqueue(2, job("q").gate("group:a").cost(4));
        List<JobId> b = rig.enqueue(2, job("q").gate("group:b").cost(4));
        JobId c = rig.enqueue(job("q").gate("group:c").cost(4));
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(a.getFirst(), b.getFirst());
        assertThat(rig.gate("queue q").units()).isEqualTo(8);
        worker.finish(a.getFirst());
        assertThat(worker.claim(9)).hasSize(1);
        worker.finishAll();
        assertThat(worker.claim(9)).contains(c);
    }

    @Test
    default void nonsenseIsRejected(Rig rig) {
        assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job("q").cost(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job("q").gate("")));
        for (String limits : List.of("concurrency 0", "budget 0", "budget -5")) {
            assertThatIllegalArgumentException().as(limits).isThrownBy(() -> rig.policy("gate group:a", limits));
            assertThatIllegalArgumentException().as(limits).isThrownBy(() -> rig.policy("queue q", limits));
        }
    }

    @Test
    default void twoWorkersAtAGroupOfOneNeverRefuseEachOtherInStep(Rig rig) {
        rig.policy("gate group:a", "concurrency 1");
        ScriptedWorker one = rig.worker("q");
        ScriptedWorker two = rig.worker("q");
        List<JobId> ids = rig.enqueue(6, job("q").gate("group:a"));
        List<JobId> order = new ArrayList<>();
        for (int round = 0; round < ids.size(); round++) {
            List<JobId> first = one.claim(1);
            List<JobId> second = two.claim(1);
            assertThat(first.size() + second.size()).as("one of them runs").isEqualTo(1);
            order.addAll(first);
            order.addAll(second);
            one.finishAll();
            two.finishAll();
        }
        assertThat(order).isEqualTo(ids);
    }

    @Test
    default void aBlockedHeadHidesNothingBehindIt(Rig rig) {
        rig.policy("gate group:a", "concurrency 1").policy("gate group:big", "budget 5");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> blocked = rig.enqueue(50, job("q").gate("group:a"));
        rig.enqueue(job("q").gate("group:big").cost(5));
        rig.enqueue(job("q").gate("group:big").cost(5));
        JobId plain = rig.enqueue(job("q"));
        JobId other = rig.enqueue(job("q").gate("group:b"));
        assertThat(worker.claim(9)).hasSize(4).contains(blocked.getFirst(), plain, other);
        assertThat(rig.explain(blocked.get(1)).place().gates())
                .anyMatch(gate -> gate.line().isIn());
    }

    @Test
    default void theSameIdempotencyKeyIsTheSameJob(Rig rig) {
        Inserted first = rig.insert(job("q").gate("group:a").dedup("order:7"));
        assertThat(rig.insert(job("q").gate("group:a").dedup("order:7"))).isEqualTo(new Inserted(first.id(), false));
        assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(1);
    }
}
