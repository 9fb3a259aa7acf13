package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.evidence.Replay;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JournalChain;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Token buckets: exact, without drift, whatever the clock does. */
public interface RateContract extends StoreFixture {
    /** Or two workers that each wait for the other to be there would wait for ever. */
    @Test
    default void aLookSeesAQueueThatHasOpenedAndToWhichNobodyCame(Rig rig) {
        rig.policy("queue mail", "rate 1/1s burst 1");
        JobId first = rig.enqueue(job("mail"));
        JobId second = rig.enqueue(job("mail").gate("g"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(first);
        assertThat(rig.store().glance(List.of("mail"))).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(3));
        assertThat(rig.store().glance(List.of("mail")))
                .as("one that waits in a lane")
                .isEqualTo(Duration.ZERO);
        assertThat(worker.claim(2)).containsExactly(second);
        rig.advance(Duration.ofSeconds(3));
        assertThat(rig.store().glance(List.of("mail"))).as("nothing waits").isNull();
        rig.enqueue(job("mail"));
        assertThat(rig.store().glance(List.of("mail"))).as("one without gates").isEqualTo(Duration.ZERO);
    }

    /** Otherwise each worker would leave the gate to another one, and come a little too late, every time. */
    @Test
    default void aLaneThatWasMetWhileItsQueueWasShutIsBroughtToItsGateWhenThatOpens(Rig rig) {
        rig.policy("queue mail", "spaced 1/1s");
        rig.policy("gate slow", "rate 1/10s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("slow"));
        assertThat(worker.claim(9)).hasSize(1);
        rig.enqueue(job("mail").gate("slow"));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.store().glance(List.of("mail")))
                .as("it stands in no line")
                .isEqualTo(Duration.ZERO);
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.store().glance(List.of("mail"))).as("it does now").isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    default void whoFillsItsLastSlotIsStillTheOneToComeWhenTheGateOpens(Rig rig) {
        rig.policy("gate g", "rate 20/1s burst 1");
        rig.enqueue(3, job("default").gate("g"));
        rig.enqueue(3, job("default").gate("g").gate("h"));
        ScriptedWorker worker = rig.worker("default");
        assertThat(worker.claim(5)).hasSize(1);
        rig.advance(Duration.ofMillis(50));
        Turn full = worker.turn(1);
        assertThat(full.started()).hasSize(1);
        assertThat(full.next())
                .isEqualTo(new Turn.Next(Duration.ofMillis(50), rig.time().micros() + 50_000, false));
    }

    /** The same for one that finds the gate shut, and looks at once whether there is something else. */
    @Test
    default void whoTurnsAgainAtOnceIsStillTheOneToComeWhenTheGateOpens(Rig rig) {
        rig.policy("gate g", "rate 20/1s burst 1");
        rig.enqueue(3, job("default").gate("g"));
        assertThat(rig.worker("default").turn(1).started()).hasSize(1);
        Turn turn = rig.worker("default").turn(1);
        assertThat(turn.started()).isEmpty();
        Turn.Next next = Objects.requireNonNull(turn.next());
        assertThat(next.at()).isEqualTo(rig.time().micros() + 50_000);
        assertThat(next.isOthers()).isFalse();
    }

    /** Even spacing, and a delay after each call. */
    @Test
    default void ofTwoDistancesOfAGateTheStricterCountsAndEachRemembersItsOwnStarts(Rig rig) {
        rig.policy("gate api", "spaced 10/10s; delay 400ms margin end; journal 1d");
        List<JobId> ids = rig.enqueue(4, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(4)).containsExactly(ids.get(0));
        assertThat(rig.explain(ids.get(1)).summary()).contains("delay 400ms margin end");
        rig.advance(Duration.ofMillis(100));
        worker.finish(ids.get(0));
        assertThat(worker.claim(4)).isEmpty();
        assertThat(rig.explain(ids.get(1)).summary()).contains("last start 100ms ago", "spaced 10/10s");
        rig.advance(Duration.ofMillis(899));
        assertThat(worker.claim(4)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(4)).containsExactly(ids.get(1));
        rig.advance(Duration.ofSeconds(3));
        worker.finish(ids.get(1));
        rig.policy("gate api", "delay 400ms margin end; spaced 10/10s; journal 1d");
        assertThat(worker.claim(4)).isEmpty();
        rig.advance(Duration.ofMillis(399));
        assertThat(worker.claim(4)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(4)).containsExactly(ids.get(2));
        assertThat(Replay.of(
                                Rig.key("gate api"),
                                after -> rig.store().journal(Rig.key("gate api"), after, 50),
                                null,
                                null)
                        .limits())
                .hasSize(2)
                .allSatisfy(
                        limit -> assertThat(limit.examples()).as(limit.limit()).isEmpty())
                .allSatisfy(limit -> assertThat(limit.starts()).isEqualTo(3));
    }

    @Test
    default void aNewBucketIsFullAndRefillsOneByOne(Rig rig) {
        rig.policy("gate api", "rate 2/1s burst 3 margin none");
        List<JobId> ids = rig.enqueue(9, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).isEqualTo(ids.subList(0, 3));
        rig.advance(Duration.ofMillis(499));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(3, 4));
        rig.advance(Duration.ofSeconds(60));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(4, 7));
    }

    @Test
    default void aRateByCostCountsUnits(Rig rig) {
        rig.policy("gate llm", "rate 100/1s burst 100 by-cost margin none");
        JobId big = rig.enqueue(job("chat").gate("llm").cost(90));
        JobId next = rig.enqueue(job("chat").gate("llm").cost(30));
        JobId free = rig.enqueue(job("chat").gate("llm", "free").cost(0));
        ScriptedWorker worker = rig.worker("chat");
        assertThat(worker.claim(9)).containsExactly(big);
        assertThat(worker.sleep()).isEqualTo(Duration.ofMillis(200));
        rig.advance(Duration.ofMillis(200));
        assertThat(worker.claim(9)).containsExactly(next, free);
    }

    @Test
    default void sevenPerSecondDoesNotDrift(Rig rig) {
        rig.policy("gate api", "rate 7/1s burst 2 margin none");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(700, job("mail").gate("api"));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(0, 2));
        for (int start = 2; start < ids.size(); start++) {
            // Exactly so many sevenths of a second after the first, rounded up to a microsecond and never added up.
            Instant due = VirtualTime.START.plus(Micros.duration(Math.ceilDiv((start - 1) * 1_000_000L, 7)));
            if (start % 10 == 0) {
                rig.time().set(due.minusNanos(1_000));
                worker.heartbeat();
                assertThat(worker.turn(1).started()).isEmpty();
            }
            rig.time().set(due);
            Turn turn = worker.turn(1, worker.ended());
            assertThat(turn.started())
                    .extracting(JobRow::id)
                    .containsExactly(ids.get(start).value());
        }
    }

    @Test
    default void aBurstOfOneNeverStartsTwoTooClose(Rig rig) {
        rig.policy("gate api", "rate 7/1s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(50, job("mail").gate("api"));
        assertThat(worker.claim(1)).hasSize(1);
        for (int start = 1; start < 50; start++) {
            assertThat(worker.sleep()).isEqualTo(Duration.ofNanos(142_858_000));
            rig.advance(Duration.ofNanos(142_857_000));
            assertThat(worker.claim(1)).isEmpty();
            rig.advance(Duration.ofNanos(1_000));
            assertThat(worker.claim(1)).hasSize(1);
        }
    }

    @Test
    default void twoRatesOfOneGateBothHold(Rig rig) {
        rig.policy("gate api", "rate 2/1s burst 1; rate 4/1m burst 4 margin none");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(20, job("mail").gate("api"));
        List<Instant> starts = startsUntil(rig, worker, Duration.ofSeconds(61));
        assertThat(starts).hasSize(8);
        for (int i = 1; i < starts.size(); i++) {
            assertThat(Duration.between(starts.get(i - 1), starts.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(500));
        }
    }

    private static List<Instant> startsUntil(Rig rig, ScriptedWorker worker, Duration length) {
        List<Instant> starts = new ArrayList<>();
        Instant end = rig.time().now().plus(length);
        while (rig.time().now().isBefore(end)) {
            worker.claim(50).forEach(id -> starts.add(rig.time().now()));
            rig.advance(Duration.ofMillis(100));
        }
        return starts;
    }

    @Test
    default void aClockThatStepsBackPaysNothingTwice(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 2 margin none").policy("queue mail", "rate 1/1s burst 2 margin none");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(9, job("mail").gate("api"));
        assertThat(worker.claim(9)).hasSize(2);
        rig.time().stepBack(Duration.ofHours(1));
        worker.heartbeat();
        assertThat(worker.claim(9)).isEmpty();
        for (int second = 0; second < 5; second++) {
            rig.time().advance(Duration.ofSeconds(1));
            assertThat(worker.claim(9)).isEmpty();
        }
        rig.time().set(VirtualTime.START.plusSeconds(1));
        ScriptedWorker next = rig.worker("mail");
        assertThat(next.claim(9)).hasSize(1);
    }

    @Test
    default void aJumpAheadNeverFillsABucketAboveItsBurst(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 2 margin none");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(9, job("mail").gate("api"));
        assertThat(worker.claim(9)).hasSize(2);
        rig.advance(Duration.ofDays(400));
        assertThat(worker.claim(9)).hasSize(2);
        assertThat(worker.claim(9)).isEmpty();
    }

    @Test
    default void aRetryAndARestartAfterACrashCostATokenLikeAnyStart(Rig rig) {
        rig.policy("gate api", "rate 1/1m burst 3 margin none");
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").gate("api").attempts(9));
        worker.claim(1);
        assertThat(worker.retryNow(id)).containsExactly(id);
        assertThat(rig.gate("gate api").tokens().getFirst().now()).isEqualTo(1);
        rig.lose(worker);
        ScriptedWorker next = rig.worker("mail");
        assertThat(next.claim(1)).containsExactly(id);
        assertThat(rig.gate("gate api").tokens().getFirst().now()).isZero();
    }

    @Test
    default void aGateWhoseMemoryIsUnreadableCountsAsEmptyAndRecovers(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 5 margin none");
        spoilMemory(rig, GateKey.gate("api"));
        List<JobId> ids = rig.enqueue(2, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(ids.getFirst());
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(ids.getLast());
    }

    @Test
    default void aQueueWhoseMemoryIsUnreadableCountsAsEmptyAndRecovers(Rig rig) {
        rig.policy("queue mail", "rate 1/1s burst 5 margin none");
        spoilMemory(rig, GateKey.queue("mail"));
        List<JobId> ids = rig.enqueue(2, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(ids.getFirst());
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(ids.getLast());
    }

    private static void spoilMemory(Rig rig, GateKey key) {
        rig.store().backend().write(tx -> {
            tx.gates().lock(new TreeSet<>(List.of(key)));
            tx.gates().save(List.of(new GateRow(key, 0, 0, "seen=yesterday", null, JournalChain.NONE)));
            return null;
        });
    }
}
