package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A turn passes by what another transaction has locked, and nothing of that is lost, overtaken or forgotten. */
public interface HeldRowsContract extends StoreFixture {
    Duration SOON = Duration.ofMillis(10);

    @Test
    default void whatEndsAtAGateThatIsLockedIsSentAgainAndKeepsItsSlot(Rig rig) {
        HeldRows held = heldRows(rig);
        rig.policy("gate a", "concurrency 5").policy("gate b", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId free = rig.enqueue(job("mail").gate("a"));
        JobId busy = rig.enqueue(job("mail").gate("b"));
        assertThat(worker.claim(2)).containsExactly(free, busy);
        List<JobId> next = rig.enqueue(3, job("mail"));
        held.hold(GateKey.gate("b"));
        Turn turn = worker.turn(2, done(worker, free), done(worker, busy));
        assertThat(turn.busy()).containsExactly(busy.value());
        assertThat(turn.refused()).isEmpty();
        assertThat(rig.state(free)).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.state(busy)).isEqualTo(JobState.RUNNING);
        assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactly(next.getFirst());
        Turn second = worker.turn(1, done(worker, busy));
        assertThat(second.busy()).as("the first that is sent is waited for").isEmpty();
        assertThat(rig.state(busy)).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.leases("gate b")).isZero();
    }

    @Test
    default void aDoorbellWhoseGateIsLockedIsAnsweredByTheNextTurn(Rig rig) {
        HeldRows held = heldRows(rig);
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("b").gate("c"));
        held.hold(GateKey.gate("c"));
        Turn turn = worker.turn(5);
        assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactly(first);
        assertThat(turn.nextWake()).isZero();
        assertThat(worker.turn(5).started())
                .as("the gates of the first are waited for")
                .extracting(row -> JobId.of(row.id()))
                .containsExactly(second);
    }

    /** A lane that stood ready is made neither to wait nor to start while one of its gates is not ours. */
    @Test
    default void aReadyLaneWhoseGateIsLockedStaysReady(Rig rig) {
        HeldRows held = heldRows(rig);
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(2, job("mail").gate("b"));
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        held.hold(GateKey.gate("b"));
        JobId urgent = rig.enqueue(job("mail").gate("a").priority(9));
        Turn turn = worker.turn(5);
        assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactly(urgent);
        assertThat(turn.nextWake()).isZero();
        held.release();
        assertThat(worker.claim(5)).containsExactly(jobs.getLast());
    }

    @Test
    default void aLaneInAnotherHandIsPassedByAndHidesNoOther(Rig rig) {
        HeldRows held = heldRows(rig);
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> first = rig.enqueue(2, job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(first.getFirst());
        held.hold(new Lane("mail", List.of("a")));
        JobId other = rig.enqueue(job("mail").gate("b"));
        assertThat(worker.claim(5)).containsExactly(other);
        held.release();
        assertThat(worker.claim(5)).containsExactly(first.getLast());
    }

    @Test
    default void aLockedLaneKeepsItsPlaceInLineAndIsLookedAtSoon(Rig rig) {
        HeldRows held = heldRows(rig);
        rig.policy("gate g", "concurrency 2");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> running = rig.enqueue(2, job("mail").gate("g"));
        assertThat(worker.claim(2)).containsExactlyElementsOf(running);
        JobId first = rig.enqueue(job("mail").gate("g").gate("own:1"));
        JobId second = rig.enqueue(job("mail").gate("g").gate("own:2"));
        JobId third = rig.enqueue(job("mail").gate("g").gate("own:3"));
        assertThat(worker.claim(5)).isEmpty();
        held.hold(new Lane("mail", List.of("g", "own:2")));
        Turn turn = worker.turn(5, worker.ended());
        assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactly(first);
        assertThat(turn.wakes()).as("news for those that sleep").contains(new Wake.Anything());
        assertThat(turn.nextWake()).isEqualTo(SOON);
        rig.advance(SOON);
        Turn again = worker.turn(5);
        assertThat(again.started()).as("nothing overtakes it").isEmpty();
        assertThat(again.wakes()).as("others know").isEmpty();
        assertThat(again.nextWake()).isEqualTo(SOON);
        held.release();
        rig.advance(SOON);
        assertThat(worker.claim(5)).containsExactly(second);
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(third);
    }

    /** It came before the head that its lane waits with, so it must not wait for what blocks that one. */
    @Test
    default void anUrgentJobOfALaneInAnotherHandIsAnsweredLater(Rig rig) {
        HeldRows held = heldRows(rig);
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("gpu").cost(3));
        JobId big = rig.enqueue(job("mail").gate("gpu").cost(5));
        assertThat(worker.claim(5)).containsExactly(running);
        held.hold(new Lane("mail", List.of("gpu")));
        JobId urgent = rig.enqueue(job("mail").gate("gpu").cost(1).priority(1));
        Turn turn = worker.turn(5);
        assertThat(turn.started()).isEmpty();
        assertThat(turn.nextWake()).isZero();
        held.release();
        assertThat(worker.claim(5)).containsExactly(urgent);
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(big);
    }

    private static HeldRows heldRows(Rig rig) {
        HeldRows held = new HeldRows(rig.store().backend());
        rig.reopenedAs(held);
        return held;
    }

    private static EndedLease done(ScriptedWorker worker, JobId job) {
        return new EndedLease(worker.lease(job), new Outcome.Succeeded(null));
    }
}
