package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.status.QueueBacklog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How much there is to do, and how much of it a free slot would help with: what a claim would get, and nothing else. */
public interface DemandContract extends StoreFixture {
    int MAX = 1_000;

    private static BacklogStore backlog(Rig rig) {
        return new BacklogStore(rig.store().backend());
    }

    private static QueueBacklog of(Rig rig, String queue) {
        return backlog(rig).read(List.of(queue), MAX).getFirst();
    }

    /** Admissible, blocked, paused, scheduled, running. */
    private static List<Long> figures(Rig rig, String queue) {
        QueueBacklog backlog = of(rig, queue);
        return List.of(
                backlog.admissible(), backlog.blocked(), backlog.paused(), backlog.scheduled(), backlog.running());
    }

    @Test
    default void anEmptyOrUnknownQueueHasNothingToDo(Rig rig) {
        assertThat(of(rig, "mail")).isEqualTo(new QueueBacklog("mail", 0, false, 0, 0, 0, 0, 0, 0, 0, false));
        assertThat(backlog(rig).read(List.of(), MAX)).isEmpty();
        assertThat(backlog(rig).admissible(List.of("mail"), MAX)).isZero();
        assertThat(backlog(rig).admissible(List.of(), MAX)).isZero();
    }

    @Test
    default void plainJobsAndGatedOnesCountBeforeAnybodyHasFiledThem(Rig rig) {
        rig.enqueue(3, job("mail"));
        rig.enqueue(2, job("mail").gate("a"));
        rig.enqueue(job("video").gate("a", "b"));
        assertThat(figures(rig, "mail")).containsExactly(5L, 0L, 0L, 0L, 0L);
        assertThat(backlog(rig).read(List.of(), MAX))
                .extracting(QueueBacklog::queue)
                .containsExactly("mail", "video");
        assertThat(backlog(rig).admissible(List.of("mail", "video"), MAX)).isEqualTo(6);
    }

    @Test
    default void admissibleJobsAreCountedUpToABound(Rig rig) {
        rig.policy("gate shut", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(4, job("mail").gate("shut"));
        worker.claimAll();
        rig.enqueue(30, job("mail"));
        QueueBacklog seen = backlog(rig).read(List.of("mail"), 10).getFirst();
        assertThat(seen.admissible()).isEqualTo(10);
        assertThat(seen.isMore()).isTrue();
        assertThat(seen.blocked()).isEqualTo(3);
        assertThat(backlog(rig).admissible(List.of("mail"), 7)).isEqualTo(7);
        assertThat(backlog(rig).admissible(List.of("mail"), 0)).isZero();
    }

    @Test
    default void whatAGateHoldsBackIsBlockedWhetherOrNotAClaimHasFoundOut(Rig rig) {
        rig.policy("gate api", "concurrency 2");
        rig.enqueue(9, job("mail").gate("api"));
        assertThat(figures(rig, "mail")).containsExactly(2L, 7L, 0L, 0L, 0L);
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> running = worker.claim(1);
        assertThat(figures(rig, "mail")).containsExactly(1L, 7L, 0L, 0L, 1L);
        worker.claimAll();
        assertThat(figures(rig, "mail")).containsExactly(0L, 7L, 0L, 0L, 2L);
        worker.finish(running.getFirst());
        assertThat(figures(rig, "mail")).containsExactly(1L, 6L, 0L, 0L, 1L);
    }

    @Test
    default void theLimitsOfTheQueueItselfCountToo(Rig rig) {
        rig.policy("queue mail", "concurrency 2; rate 1/1s burst 3");
        rig.enqueue(5, job("mail"));
        rig.enqueue(5, job("mail").gate("a"));
        assertThat(figures(rig, "mail")).containsExactly(2L, 8L, 0L, 0L, 0L);
        rig.worker("mail").claimAll();
        assertThat(figures(rig, "mail")).containsExactly(0L, 8L, 0L, 0L, 2L);
    }

    @Test
    default void timeAloneMakesJobsAdmissible(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 1");
        for (int tenant = 0; tenant < 5; tenant++) {
            rig.enqueue(job("mail").gate("api", "tenant:" + tenant));
        }
        rig.worker("mail").claimAll();
        assertThat(figures(rig, "mail")).containsExactly(0L, 4L, 0L, 0L, 1L);
        rig.advance(Duration.ofSeconds(1));
        assertThat(figures(rig, "mail")).containsExactly(1L, 3L, 0L, 0L, 1L);
    }

    @Test
    default void aPausedQueueIsNoReasonForMoreHands(Rig rig) {
        rig.enqueue(4, job("mail"));
        rig.enqueue(2, job("mail").gate("a"));
        rig.enqueue(2, job("video").gate("p"));
        rig.store().policyStore().pause(Pause.queue("mail"), "ada", "a test");
        rig.store().policyStore().pause(Pause.gate("p"), "ada", "a test");
        assertThat(figures(rig, "mail")).containsExactly(0L, 0L, 6L, 0L, 0L);
        assertThat(figures(rig, "video")).containsExactly(0L, 2L, 0L, 0L, 0L);
        assertThat(backlog(rig).admissible(List.of("mail", "video"), MAX)).isZero();
        rig.store().policyStore().resume(Pause.queue("mail"));
        assertThat(figures(rig, "mail")).containsExactly(6L, 0L, 0L, 0L, 0L);
    }

    @Test
    default void aPausedTypeDoesNotCountAsAdmissible(Rig rig) {
        rig.enqueue(3, job("mail").type("send"));
        rig.enqueue(2, job("mail").type("send").after(Duration.ofSeconds(1)));
        rig.enqueue(job("mail").type("read"));
        rig.store().policyStore().pause(Pause.type("send"), "ada", "a test");
        rig.advance(Duration.ofSeconds(1));
        assertThat(of(rig, "mail").admissible()).isEqualTo(1);
        rig.worker("mail").claimAll();
        assertThat(of(rig, "mail")).isEqualTo(new QueueBacklog("mail", 0, false, 0, 0, 0, 0, 0, 5, 1, false));
    }

    @Test
    default void aHeldGateBlocks(Rig rig) {
        rig.enqueue(2, job("mail").gate("api"));
        rig.store().hold(Rig.key("gate api"), Duration.ofMinutes(1), "429");
        assertThat(figures(rig, "mail")).containsExactly(0L, 2L, 0L, 0L, 0L);
        rig.advance(Duration.ofMinutes(1));
        assertThat(of(rig, "mail").admissible()).isEqualTo(2);
    }

    @Test
    default void laterJobsAreScheduledUntilTheirTimeHasCome(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        rig.enqueue(2, job("mail").after(Duration.ofMinutes(1)));
        rig.enqueue(3, job("mail").gate("api").after(Duration.ofMinutes(1)));
        assertThat(figures(rig, "mail")).containsExactly(0L, 0L, 0L, 5L, 0L);
        rig.advance(Duration.ofMinutes(1));
        assertThat(figures(rig, "mail")).containsExactly(3L, 2L, 0L, 0L, 0L);
    }

    @Test
    default void aDueJobBehindALineIsBlocked(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        rig.enqueue(job("mail").gate("api").after(Duration.ofSeconds(1)));
        rig.enqueue(3, job("mail").gate("api").priority(5));
        rig.worker("mail").claimAll();
        rig.advance(Duration.ofSeconds(1));
        assertThat(figures(rig, "mail")).containsExactly(0L, 3L, 0L, 0L, 1L);
    }

    @Test
    default void aDueJobCountsWhereItWillStandAndNotWhereItWasEnqueued(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        rig.enqueue(job("mail").gate("gpu").cost(2).after(Duration.ofSeconds(1)));
        rig.enqueue(job("mail").gate("gpu").cost(3));
        rig.enqueue(job("mail").gate("gpu").cost(5));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(1);
        rig.advance(Duration.ofSeconds(1));
        assertThat(figures(rig, "mail")).containsExactly(0L, 2L, 0L, 0L, 1L);
        assertThat(worker.claim(9)).isEmpty();
        rig.enqueue(job("mail").gate("gpu").cost(2).priority(1).after(Duration.ofSeconds(1)));
        rig.advance(Duration.ofSeconds(1));
        assertThat(figures(rig, "mail").getFirst()).isEqualTo(1);
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void queuesThatShareAGateShareItsRoom(Rig rig) {
        rig.policy("gate api", "concurrency 3");
        rig.enqueue(9, job("mail").gate("api"));
        rig.enqueue(9, job("video").gate("api"));
        assertThat(backlog(rig).admissible(List.of("mail", "video"), MAX)).isEqualTo(3);
        assertThat(backlog(rig).admissible(List.of("video"), MAX)).isEqualTo(3);
    }

    @Test
    default void jobsThatWaitForJobsAreNoBacklogYet(Rig rig) {
        JobId first = rig.enqueue(job("mail"));
        rig.enqueue(job("mail").after(first));
        assertThat(of(rig, "mail")).isEqualTo(new QueueBacklog("mail", 1, false, 0, 0, 0, 0, 1, 0, 0, false));
    }

    @Test
    default void aFairQueueCountsAsAnyOther(Rig rig) {
        rig.policy("queue mail", "fair by tenant:*").policy("gate tenant:*", "concurrency 2");
        for (int tenant = 0; tenant < 70; tenant++) {
            rig.enqueue(3, job("mail").gate("tenant:" + tenant));
        }
        assertThat(figures(rig, "mail")).containsExactly(140L, 70L, 0L, 0L, 0L);
        rig.worker("mail").claim(100);
        assertThat(figures(rig, "mail")).containsExactly(40L, 70L, 0L, 0L, 100L);
    }

    /** The same rows, the same plan: whatever waits, the count is the number of jobs that a claim then starts. */
    @Test
    default void whatIsCountedIsWhatAClaimGets(Rig rig) {
        Random random = new Random(7);
        rig.policy("gate c:*", "concurrency 2")
                .policy("gate r:*", "rate 2/1s burst 2")
                .policy("gate b:*", "budget 5")
                .policy("queue narrow", "concurrency 4");
        ScriptedWorker worker = rig.worker("mail", "video", "narrow");
        List<String> kinds = List.of("c:", "r:", "b:", "free:");
        List<String> queues = List.of("mail", "video", "narrow");
        for (int round = 0; round < 25; round++) {
            for (int each = random.nextInt(12); each >= 0; each--) {
                Jobs.Draft draft = job(queues.get(random.nextInt(3))).cost(1 + random.nextInt(3));
                if (random.nextInt(4) > 0) {
                    draft.gate(kinds.get(random.nextInt(4)) + random.nextInt(4));
                }
                rig.enqueue(random.nextInt(5) == 0 ? draft.after(Duration.ofSeconds(1 + random.nextInt(3))) : draft);
            }
            rig.advance(Duration.ofMillis(random.nextInt(1500)));
            int counted = backlog(rig).admissible(queues, MAX);
            if (random.nextInt(3) > 0) {
                assertThat(worker.claimAll()).as("round %d", round).hasSize(counted);
            }
            worker.holding().stream()
                    .filter(id -> random.nextBoolean())
                    .toList()
                    .forEach(worker::finish);
        }
    }

    private static List<String> idle(Rig rig) {
        return backlog(rig).idle(Duration.ofSeconds(4));
    }

    /** A worker without room for a job with a gate, which therefore stands ready. */
    private static ScriptedWorker passingBy(Rig rig) {
        rig.policy("gate g", "concurrency 2");
        ScriptedWorker small =
                rig.worker("mail").room(Headroom.system().amount("desk", 1), Map.of("heavy", Needs.of("desk", 2)));
        rig.enqueue(2, job("mail").type("heavy").gate("g"));
        assertThat(small.claim(1)).isEmpty();
        return small;
    }

    @Test
    default void jobsThatCouldStartAndDoNotAreNoticed(Rig rig) {
        passingBy(rig);
        assertThat(idle(rig)).as("just passed over").isEmpty();
        rig.advance(Duration.ofSeconds(3));
        assertThat(idle(rig)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(idle(rig)).containsExactly("mail");
    }

    @Test
    default void aQueueThatMovesOrIsBlockedIsNotIdle(Rig rig) {
        passingBy(rig);
        ScriptedWorker large = rig.worker("mail");
        JobId started = large.claim(1).getFirst();
        rig.advance(Duration.ofSeconds(5));
        assertThat(idle(rig)).as("one runs").isEmpty();
        large.finish(started);
        rig.advance(Duration.ofSeconds(5));
        assertThat(idle(rig)).containsExactly("mail");
        rig.store().policyStore().pause(Pause.gate("g"), "ada", "a test");
        assertThat(idle(rig)).as("shut").isEmpty();
        rig.store().policyStore().resume(Pause.gate("g"));
        rig.store().policyStore().pause(Pause.queue("mail"), "ada", "a test");
        assertThat(idle(rig)).as("paused").isEmpty();
    }

    @Test
    default void aStartAtATimedGateIsAMove(Rig rig) {
        passingBy(rig);
        rig.policy("gate g", "window 5/1m");
        rig.advance(Duration.ofSeconds(5));
        ScriptedWorker large = rig.worker("mail");
        large.finish(large.claim(1).getFirst());
        assertThat(idle(rig)).isEmpty();
        rig.advance(Duration.ofSeconds(5));
        assertThat(idle(rig)).containsExactly("mail");
    }

    private static List<Long> longest(Rig rig, int max, String... queues) {
        return backlog(rig).longestWaits(List.of(queues), max).stream()
                .map(wait -> wait.job().id().value())
                .toList();
    }

    @Test
    default void theLongestWaitsAreFoundWhereverTheyStand(Rig rig) {
        rig.policy("gate shut", "concurrency 1").policy("queue fair", "fair by tenant:*");
        assertThat(longest(rig, 9, "mail", "fair")).isEmpty();
        assertThat(longest(rig, 9)).isEmpty();
        JobId blocked = rig.enqueue(job("mail").gate("shut"));
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> running = worker.claimAll();
        assertThat(running).containsExactly(blocked);
        JobId inLine = rig.enqueue(job("mail").gate("shut"));
        rig.advance(Duration.ofSeconds(1));
        worker.claimAll();
        JobId delayed = rig.enqueue(job("mail").after(Duration.ofSeconds(2)));
        rig.advance(Duration.ofSeconds(1));
        JobId unfiled = rig.enqueue(job("fair").gate("tenant:a"));
        rig.advance(Duration.ofSeconds(2));
        JobId plain = rig.enqueue(job("video"));
        assertThat(longest(rig, 9, "mail", "fair", "video"))
                .containsExactly(inLine.value(), unfiled.value(), plain.value());
        rig.store().fileDue(List.of("mail"));
        assertThat(longest(rig, 9, "mail", "fair", "video"))
                .as("the one that was delayed waits since it was due")
                .containsExactly(inLine.value(), unfiled.value(), delayed.value(), plain.value());
        assertThat(longest(rig, 2, "mail", "fair", "video")).containsExactly(inLine.value(), unfiled.value());
        assertThat(longest(rig, 9, "video")).containsExactly(plain.value());
        assertThat(backlog(rig).longestWaits(List.of("mail"), 1).getFirst().at())
                .isEqualTo(GateKey.gate("shut"));
        assertThat(backlog(rig).longestWaits(List.of("fair"), 1).getFirst().at())
                .isNull();
    }

    @Test
    default void aLongWaitBehindThousandsOfJobsIsFoundToo(Rig rig) {
        rig.policy("gate shut", "concurrency 1").policy("gate fair", "concurrency 1; fair by tenant:*");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("shut"));
        rig.enqueue(job("mail").gate("fair", "tenant:0"));
        worker.claimAll();
        JobId oldest = rig.enqueue(job("mail").gate("shut"));
        JobId second = rig.enqueue(job("mail").gate("fair", "tenant:1"));
        rig.advance(Duration.ofSeconds(1));
        for (int tenant = 2; tenant < 20; tenant++) {
            rig.enqueue(20, job("mail").gate("fair", "tenant:" + tenant));
        }
        rig.enqueue(500, job("mail").gate("shut"));
        worker.claimAll();
        assertThat(longest(rig, 3, "mail")).startsWith(oldest.value(), second.value());
    }
}
