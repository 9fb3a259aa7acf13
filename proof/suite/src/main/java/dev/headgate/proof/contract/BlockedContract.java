package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Reason;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobId;
import dev.headgate.limit.Serve;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.QueueBacklog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is blocked hides nothing that is not, also right after it has become blocked: a denial needs no slot. */
public interface BlockedContract extends StoreFixture {
    @Test
    default void aFreeKeyBehindNewlyBlockedOnesStartsAfterAFewTurns(Rig rig) {
        ScriptedWorker worker = blockKeys(rig, 1_000);
        JobId free = rig.enqueue(job("mail").gate("k:free"));
        assertThat(turnsUntilAStart(worker, 1, free)).isLessThanOrEqualTo(6);
    }

    @Test
    default void inAFairQueueToo(Rig rig) {
        rig.policy("queue mail", "fair by k:*");
        ScriptedWorker worker = spendKeys(rig, 1_000);
        rig.policy("gate k:free", "concurrency 9");
        for (int i = 0; i < 3; i++) {
            rig.enqueue(job("mail").gate("k:free")); // so that the shares of the blocked keys come before its own
            assertThat(worker.claim(1)).hasSize(1);
        }
        rig.store().enqueue(oneForEach(1_000));
        JobId free = rig.enqueue(job("mail").gate("k:free"));
        assertThat(turnsUntilAStart(worker, 1, free)).isLessThanOrEqualTo(6);
    }

    @Test
    default void whereQueuesHaveTurnsToo(Rig rig) {
        ScriptedWorker worker = blockKeys(rig, 1_000).serving(Serve.ROUND_ROBIN);
        JobId free = rig.enqueue(job("mail").gate("k:free"));
        assertThat(turnsUntilAStart(worker, 1, free)).isLessThanOrEqualTo(6);
    }

    @Test
    default void keysBlockedByConcurrencyHideNothingEither(Rig rig) {
        rig.policy("gate k:*", "concurrency 1");
        rig.store().enqueue(oneForEach(300));
        ScriptedWorker holder = rig.worker("mail");
        assertThat(holder.claim(300)).hasSize(300);
        rig.store().enqueue(oneForEach(300));
        JobId free = rig.enqueue(job("mail").gate("k:free"));
        assertThat(turnsUntilAStart(rig.worker("mail"), 1, free)).isLessThanOrEqualTo(4);
    }

    /** It says how far the next look has to reach: what was woken from a line and blocked again is nothing new. */
    @Test
    default void aTurnTellsHowManyLanesItHasJudgedFirst(Rig rig) {
        rig.policy("gate g", "rate 1/1s burst 1").policy("gate x", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("x"));
        for (int i = 0; i < 4; i++) {
            rig.enqueue(job("mail").gate("g").gate("x").gate("k:" + i));
        }
        rig.enqueue(job("mail").gate("g"));
        Turn first = worker.turn(9);
        assertThat(first.started()).hasSize(2);
        assertThat(first.denied()).isEqualTo(4);
        assertThat(worker.turn(9).denied()).isZero();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.turn(9).denied()).isZero();
    }

    /** Whatever one worker has judged needs no second look by another. */
    @Test
    default void twoWorkersShareTheJudging(Rig rig) {
        ScriptedWorker one = blockKeys(rig, 500);
        ScriptedWorker other = rig.worker("mail");
        int judged = 0;
        Turn last;
        do {
            judged += one.turn(1).denied();
            last = other.turn(1);
            judged += last.denied();
        } while (Duration.ZERO.equals(last.nextWake()));
        assertThat(judged).isEqualTo(500);
    }

    /** A turn that only denied comes again at once, as long as more is to be judged; then it sleeps until time opens a gate. */
    @Test
    default void whenAllAreJudgedTheWorkerSleeps(Rig rig) {
        ScriptedWorker worker = blockKeys(rig, 200);
        assertThat(worker.claim(1)).isEmpty();
        Turn idle = worker.turn(1);
        assertThat(idle.denied()).isZero();
        assertThat(Objects.requireNonNull(idle.nextWake())).isGreaterThan(Duration.ofMinutes(50));
    }

    /** Lanes that could start, beyond the slots, are left as they are: nothing is written for them. */
    @Test
    default void whatIsAdmissibleBeyondTheSlotsKeepsItsPlace(Rig rig) {
        List<JobId> jobs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            jobs.add(rig.enqueue(job("mail").gate("free:" + i)));
        }
        ScriptedWorker worker = rig.worker("mail");
        for (JobId next : jobs) {
            assertThat(worker.claim(1)).containsExactly(next);
        }
    }

    @Test
    default void explainTellsOfLanesThatNoWorkerHasJudged(Rig rig) {
        blockKeys(rig, 200);
        rig.store()
                .register(
                        new WorkerRow("idle", "idle", List.of("mail"), 4, 0, 0, List.of()),
                        Duration.ofHours(1),
                        List.of());
        JobId free = rig.enqueue(job("mail").gate("k:free"));
        assertThat(rig.explain(free).summary())
                .isEqualTo("waiting to be looked at: 200 lanes of queue mail are judged before it; first in its lane");
        assertThat(rig.explain(free).reason()).isEqualTo(new Reason.NotJudged("mail", 200, false));
        JobId behind = rig.enqueue(job("mail").gate("k:free"));
        assertThat(rig.explain(behind).summary())
                .isEqualTo(
                        "waiting to be looked at: 200 lanes of queue mail are judged before it; 1 before it in its lane");
        assertThat(Objects.requireNonNull(rig.explain(free).times().forecast()).to())
                .isNull();
        JobId blocked = rig.enqueue(job("mail").gate("k:0"));
        assertThat(rig.explain(blocked).summary()).startsWith("waiting at gate k:0");
    }

    @Test
    default void theBacklogCallsNothingBlockedOrAdmissibleThatWasNotLookedAt(Rig rig) {
        ScriptedWorker worker = blockKeys(rig, 200);
        rig.enqueue(job("mail").gate("k:free"));
        QueueBacklog before = backlog(rig, 50);
        assertThat(before.admissible()).isZero();
        assertThat(before.blocked()).isZero();
        assertThat(before.unjudged()).isEqualTo(201);
        QueueBacklog all = backlog(rig, 1_000);
        assertThat(all.admissible()).isEqualTo(1);
        assertThat(all.blocked()).isEqualTo(200);
        assertThat(all.unjudged()).isZero();
        worker.claim(1);
        assertThat(backlog(rig, 50).blocked()).isEqualTo(200);
        assertThat(backlog(rig, 50).unjudged()).isZero();
    }

    private static QueueBacklog backlog(Rig rig, int max) {
        return new BacklogStore(rig.store().backend())
                .read(List.of("mail"), max)
                .getFirst();
    }

    /** Uses up the one token of so many keys, then enqueues one more job for each. */
    private static ScriptedWorker blockKeys(Rig rig, int keys) {
        ScriptedWorker worker = spendKeys(rig, keys);
        rig.store().enqueue(oneForEach(keys));
        return worker;
    }

    private static ScriptedWorker spendKeys(Rig rig, int keys) {
        rig.policy("gate k:*", "rate 1/1h burst 1");
        rig.store().enqueue(oneForEach(keys));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(keys)).hasSize(keys);
        worker.finishAll();
        return worker;
    }

    private static List<NewJob> oneForEach(int keys) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            jobs.add(job("mail").gate("k:" + i).build());
        }
        return jobs;
    }

    private static int turnsUntilAStart(ScriptedWorker worker, int slots, JobId expected) {
        for (int turns = 1; turns < 5_000; turns++) {
            Turn turn = worker.turn(slots);
            if (!turn.started().isEmpty()) {
                assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactly(expected);
                return turns;
            }
            assertThat(turn.nextWake()).as("after %d turns", turns).isEqualTo(Duration.ZERO);
        }
        throw new AssertionError("nothing has started after 5000 turns");
    }
}
