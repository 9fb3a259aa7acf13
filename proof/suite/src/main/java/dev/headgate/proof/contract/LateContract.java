package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.Overview.Lag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A start that reached no handler in time is as if it had not been. */
public interface LateContract extends StoreFixture {
    private static boolean late(ScriptedWorker worker, JobId job) {
        return worker.bring(job, new Outcome.Late(Duration.ofMillis(80)));
    }

    @Test
    default void aLateStartGoesBackToItsPlaceAndUsesNoAttempt(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        JobId first = rig.enqueue(job("mail").gate("api").attempts(1));
        JobId second = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        for (int epoch = 1; epoch <= 6; epoch++) {
            assertThat(worker.claim(2)).containsExactly(first);
            assertThat(worker.lease(first).lease().epoch()).isEqualTo(epoch);
            assertThat(worker.lease(first).lease().attempt()).isEqualTo(1);
            assertThat(late(worker, first)).isTrue();
            JobStatus status = rig.status(first);
            assertThat(status.state()).isEqualTo(JobState.QUEUED);
            assertThat(status.leases().lost()).isZero();
            assertThat(rig.explain(first).summary()).contains("late start: its handler was reached 80ms after");
        }
        assertThat(rig.store().attempts(first)).isEmpty();
        worker.claim(1);
        worker.finish(first);
        assertThat(worker.claim(2)).containsExactly(second);
    }

    @Test
    default void aLateStartIsCountedAtItsGateBesideHowLongStartsTake(Rig rig) {
        rig.policy("gate api", "window 100/1h margin 10m");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(rig.gate("gate api").lag()).isEqualTo(Lag.NONE);
        worker.claim(1);
        late(worker, id);
        Lag late = rig.gate("gate api").lag();
        assertThat(late.lateStarts()).isEqualTo(1);
        assertThat(late.toHandlerP50()).isBetween(Duration.ofMillis(80), Duration.ofMillis(160));
        assertThat(late.toEndP50()).as("it had no handler").isNull();
        worker.claim(1);
        rig.advance(Duration.ofSeconds(3));
        worker.finish(id);
        Lag ended = rig.gate("gate api").lag();
        assertThat(ended.lateStarts()).isEqualTo(1);
        assertThat(ended.toEndP99()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(6));
        assertThat(ended.rejectedAt()).isNull();
    }

    @Test
    default void aRejectionAtAFullLimitIsToldWithTheMarginThatWouldHaveAvoidedIt(Rig rig) {
        rig.policy("gate api", "window 2/1h margin 1m");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.bring(ids.getFirst(), new Outcome.PushedBack("api", null, 0, "429"));
        assertThat(rig.gate("gate api").lag().rejectedAt())
                .as("it was half used")
                .isNull();
        rig.store().clear(GateKey.gate("api"));
        assertThat(worker.claim(2)).hasSize(2);
        rig.advance(Duration.ofSeconds(5));
        worker.bring(ids.getLast(), new Outcome.PushedBack("api", null, 0, "429"));
        Lag lag = rig.gate("gate api").lag();
        assertThat(lag.rejectedAt()).isEqualTo(rig.time().now());
        assertThat(lag.rejectedLag()).isEqualTo(Duration.ofSeconds(5));
        assertThat(lag.rejectedMargin()).isEqualTo(Duration.ofMinutes(1));
        assertThat(lag.advisedMargin())
                .as("no shorter one: lag was not the cause")
                .isNull();
        rig.advance(Duration.ofMinutes(2));
        worker.finish(ids.getFirst());
        assertThat(rig.gate("gate api").lag().advisedMargin())
                .as("this one was on its way then, and was counted too early")
                .isEqualTo(Duration.ofSeconds(125));
    }

    @Test
    default void aRejectionIsToldAlsoIfItsLimitIsNoLongerFullWhenItComesBack(Rig rig) {
        rig.policy("gate api", "window 2/4s margin 1s");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).hasSize(2);
        rig.advance(Duration.ofSeconds(10));
        worker.bring(ids.getFirst(), new Outcome.PushedBack("api", null, 0, "429"));
        Lag lag = rig.gate("gate api").lag();
        assertThat(lag.rejectedAt()).isEqualTo(rig.time().now());
        assertThat(lag.rejectedMargin()).isEqualTo(Duration.ofSeconds(1));
        assertThat(lag.advisedMargin()).isEqualTo(Duration.ofSeconds(10));
    }

    /** One of the first two arrives with the third: the other side counts two, and the gate one. */
    @Test
    default void aRejectionIsToldIfLateCallsFilledTheLimitForTheOtherSide(Rig rig) {
        rig.policy("gate api", "window 2/4s margin 1s");
        List<JobId> ids = rig.enqueue(3, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).hasSize(2);
        rig.advance(Duration.ofMillis(5_500));
        worker.finish(ids.getFirst());
        worker.finish(ids.get(1));
        assertThat(worker.claim(1)).hasSize(1);
        rig.advance(Duration.ofMillis(100));
        worker.bring(ids.getLast(), new Outcome.PushedBack("api", null, 0, "429"));
        assertThat(rig.gate("gate api").lag().advisedMargin()).isEqualTo(Duration.ofMillis(5_500));
    }

    @Test
    default void aMarginThatAnotherGateCutsIsTold(Rig rig) {
        rig.policy("gate api", "window 9/1s margin 400ms").policy("gate near", "window 9/1s margin 80ms");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("api", "near"));
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(rig.gate("gate api").lag().cutMargin()).isEqualTo(Duration.ofMillis(80));
        assertThat(rig.gate("gate near").lag().cutMargin()).isNull();
        rig.enqueue(job("mail").gate("api"));
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(rig.gate("gate api").lag().cutMargin()).isNull();
    }

    @Test
    default void aLateStartStartsAgainInTheTurnThatBringsItBackOrTheNext(Rig rig) {
        rig.policy("gate api", "concurrency 1; window 100/1h margin 10m");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        Turn turn = worker.turn(1, new EndedLease(worker.lease(id), new Outcome.Late(Duration.ofMillis(80))));
        assertThat(turn.refused()).isEmpty();
        assertThat(turn.nextWake()).isEqualTo(Duration.ZERO);
        assertThat(worker.claim(1)).containsExactly(id);
    }

    @Test
    default void whatALateStartTookIsGivenBack(Rig rig) {
        rig.policy("gate api", "window 1/1h margin 10m; rate 1/1h burst 1; quota 1/day UTC");
        JobId first = rig.enqueue(job("mail").gate("api"));
        JobId second = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        for (int i = 0; i < 4; i++) {
            assertThat(worker.claim(2)).containsExactly(first);
            rig.advance(Duration.ofSeconds(6));
            assertThat(late(worker, first)).isTrue();
        }
        assertThat(worker.claim(2)).containsExactly(first);
        worker.finish(first);
        assertThat(worker.claim(2)).isEmpty();
        rig.advance(Duration.ofMinutes(59));
        assertThat(worker.claim(2)).isEmpty();
        assertThat(rig.state(second)).isEqualTo(JobState.QUEUED);
    }

    @Test
    default void aLateStartOfAFormerHolderChangesNothing(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker zombie = rig.worker("mail");
        zombie.claim(1);
        rig.lose(zombie);
        ScriptedWorker next = rig.worker("mail");
        next.claim(1);
        zombie.register();
        assertThat(late(zombie, id)).isFalse();
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void aLateStartOfACancelledJobEndsIt(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.store().cancel(id);
        assertThat(late(worker, id)).isTrue();
        assertThat(rig.state(id)).isEqualTo(JobState.CANCELLED);
    }

    /** A lane of several gates that was turned away often gets units kept for it; a late start must not set it back. */
    @Test
    default void aLateStartBringsItsPassesBack(Rig rig) {
        rig.policy("gate a", "concurrency 1").policy("gate b", "concurrency 1");
        JobId atA = rig.enqueue(job("mail").gate("a"));
        JobId atB = rig.enqueue(job("mail").gate("b"));
        JobId both = rig.enqueue(job("mail").gate("a").gate("b"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(3)).containsExactly(atA, atB);
        worker.finish(atA);
        assertThat(worker.claim(3)).isEmpty();
        worker.finish(atB);
        Turn turn = worker.turn(1);
        assertThat(turn.started()).hasSize(1);
        int passes = turn.passes().getOrDefault(both.value(), 0);
        assertThat(passes).isGreaterThanOrEqualTo(2);
        Outcome late = new Outcome.Late(Duration.ofSeconds(1));
        worker.turn(0, new EndedLease(worker.lease(both), late, Map.of(), null, 1L, passes));
        rig.store().policyStore().pause(new Pause(Pause.Kind.GATE, "a"), "test", "");
        assertThat(worker.claim(3)).isEmpty();
        String lane = turn.started().getFirst().spec().lane().id();
        List<LaneRow> lanes = rig.store().backend().read(tx -> tx.lanes().findAll(List.of(lane)));
        assertThat(lanes).extracting(LaneRow::passes).containsExactly(passes + 1);
    }

    /** Ticker and store's clock count on together, so what was read first is less. */
    @Test
    default void theTickerIsReadBeforeTheStoresClock() {
        AtomicLong count = new AtomicLong(Micros.of(Instant.parse("2026-01-01T00:00:00Z")));
        JobStore store = new JobStore(open(count::incrementAndGet), count::incrementAndGet);
        GatePolicy window = GatePolicy.parse("window 100/1h margin 10m");
        store.setPolicy(GateKey.gate("api"), window);
        store.setPolicy(GateKey.queue("sms"), window);
        List<String> queues = List.of("mail", "sms");
        store.register(new WorkerRow("w", "w", queues, 1, 0, 0, List.of()), ScriptedWorker.LEASE, List.of());
        for (int round = 0; round < 3; round++) {
            store.enqueue(List.of(
                    job("mail").gate("api").build(),
                    job("sms").build(),
                    job("mail").build()));
            for (int turns = 0; turns < 4; turns++) {
                long asked = count.get();
                Turn turn = store.turnaround(new TurnRequest("w", queues, 1, List.of()));
                assertThat(turn.grantedNanos()).isGreaterThan(asked);
                turn.started()
                        .forEach(row -> assertThat(row.lease().startedAt())
                                .isGreaterThan(turn.grantedNanos())
                                .isLessThan(turn.decidedNanos()));
            }
        }
        assertThat(store.holding("w")).hasSize(9);
        store.close();
    }
}
