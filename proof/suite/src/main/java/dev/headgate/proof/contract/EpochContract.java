package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.admission.Start;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.OperationResult;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable;
import dev.headgate.spi.JobTable.Ending;
import dev.headgate.spi.JobTable.GiveBack;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A lease is one job, one worker and one epoch. Whatever says an older or a newer epoch, or the right one in the name of
 * another worker, changes nothing: in every way in which a lease can end, and sent once more.
 */
public interface EpochContract extends StoreFixture {
    Outcome.PushedBack PUSHED = new Outcome.PushedBack("a", Duration.ofMinutes(1), 0, "429");

    /** A running job in its second epoch, beside another of the same worker in the same epoch. */
    record Scene(Rig rig, ScriptedWorker worker, ScriptedWorker other, JobId job, JobId beside) {
        static Scene set(Rig rig, String queue) {
            rig.policy("gate a", "concurrency 99; window 100000/1m by-cost");
            List<JobId> jobs = rig.enqueue(2, Jobs.job(queue).gate("a", 10).attempts(9));
            ScriptedWorker worker = rig.worker(queue);
            ScriptedWorker other = rig.worker(queue);
            assertThat(worker.claim(2)).isEqualTo(jobs);
            jobs.forEach(id -> assertThat(worker.retryNow(id)).containsExactly(id));
            return new Scene(rig, worker, other, jobs.getFirst(), jobs.getLast());
        }

        /** Every lease of the job that is not the one that counts. */
        List<Claim> falseClaims() {
            JobRow lease = worker.lease(job);
            assertThat(lease.lease().epoch()).isEqualTo(2);
            List<Claim> claims = new ArrayList<>();
            for (ScriptedWorker by : List.of(worker, other)) {
                for (long epoch = 1; epoch <= 3; epoch++) {
                    if (by == other || epoch != lease.lease().epoch()) {
                        claims.add(new Claim(by, withEpoch(lease, by.id(), epoch)));
                    }
                }
            }
            return claims;
        }

        /** All that a write in the name of a lease could change. */
        List<Object> picture() {
            List<Object> all = new ArrayList<>(List.of(rig.gate("gate a")));
            for (JobId id : List.of(job, beside)) {
                all.addAll(List.of(
                        rig.status(id), rig.store().attempts(id), rig.store().log(id)));
            }
            return all;
        }
    }

    /** What a worker believes to hold. */
    record Claim(ScriptedWorker worker, JobRow lease) {
        LeaseRef ref() {
            return new LeaseRef(lease.id(), lease.lease().epoch());
        }

        @Override
        public String toString() {
            return "%s, epoch %d".formatted(worker.id(), lease.lease().epoch());
        }
    }

    private static JobRow withEpoch(JobRow lease, String worker, long epoch) {
        JobRow.Lease own = lease.lease();
        return lease.with(new JobRow.Lease(own.startedAt(), own.margin(), own.attempt(), own.lost(), epoch, worker));
    }

    /** Every way in which a worker can bring a job back. */
    private static List<Outcome> outcomes(Rig rig) {
        return List.of(
                new Outcome.Succeeded("\"false\""),
                new Outcome.Failed("false"),
                new Outcome.Cancelled("false"),
                new Outcome.RetryAfter(Duration.ZERO, "false"),
                new Outcome.RetryAfter(Duration.ofSeconds(1), "false"),
                new Outcome.RetryAt(rig.time().now().plusSeconds(1), "false"),
                new Outcome.HandedBack(),
                new Outcome.HandedBack("false"),
                new Outcome.Late(Duration.ofSeconds(1)),
                PUSHED,
                new Outcome.Parked(ParkReason.UNKNOWN_HANDLER, "false"));
    }

    @Test
    default void aLeaseThatDoesNotCountEndsNothingInWhateverWay(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        List<Object> before = scene.picture();
        for (Claim claim : scene.falseClaims()) {
            for (Outcome outcome : outcomes(rig)) {
                refuse(claim, outcome, 0);
                refuse(claim, outcome, 1);
            }
            assertThat(scene.picture()).as("%s", claim).isEqualTo(before);
        }
    }

    /** It is refused, and what it says about its cost is not believed either. */
    private static void refuse(Claim claim, Outcome outcome, int slots) {
        Turn turn = claim.worker().turn(slots, new EndedLease(claim.lease(), outcome, Map.of("a", 7L)));
        assertThat(turn.refused())
                .as("%s: %s", claim, outcome)
                .containsExactly(claim.lease().id());
        assertThat(turn.started()).as("%s: %s", claim, outcome).isEmpty();
    }

    /** Or a retry in the name of an old lease would be taken for the end that the operator asked for. */
    @Test
    default void aLeaseThatDoesNotCountCannotAnswerACancel(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        LeaseRef current = scene.worker().ref(scene.job());
        assertThat(rig.store().cancel(scene.job())).isEqualTo(OperationResult.REQUESTED);
        List<Object> before = scene.picture();
        for (Claim claim : scene.falseClaims()) {
            for (Outcome outcome : outcomes(rig)) {
                refuse(claim, outcome, 1);
            }
            assertThat(scene.picture()).as("%s", claim).isEqualTo(before);
        }
        assertThat(rig.store().toStop(scene.worker().id(), List.of(current)))
                .containsExactly(scene.job().value());
    }

    @Test
    default void aLeaseThatCountsEndsOnceInWhateverWay(Rig rig) {
        List<Outcome> outcomes = outcomes(rig);
        for (int way = 0; way < outcomes.size(); way++) {
            rig.store().clear(Rig.key("gate a"));
            Scene scene = Scene.set(rig, "mail-" + way);
            EndedLease sent = new EndedLease(scene.worker().lease(scene.job()), outcomes.get(way), Map.of("a", 7L));
            assertThat(scene.worker().turn(way % 2, sent).refused()).isEmpty();
            List<Object> after = scene.picture();
            for (int again = 1; again <= 2; again++) {
                assertThat(scene.worker().turn(0, sent).refused())
                        .as("%s", sent.outcome())
                        .containsExactly(scene.job().value());
                assertThat(scene.picture()).as("%s", sent.outcome()).isEqualTo(after);
            }
        }
    }

    @Test
    default void aLeaseThatDoesNotCountReportsNothingTakesNoStartAndShutsNoGate(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        List<Object> before = scene.picture();
        for (Claim claim : scene.falseClaims()) {
            String by = claim.worker().id();
            for (int times = 1; times <= 2; times++) {
                assertThat(rig.store().report(by, claim.ref(), new Progress(99, "false"), List.of("false")))
                        .as("%s", claim)
                        .isFalse();
                assertThat(rig.store().report(by, claim.ref(), null, List.of("false")))
                        .as("%s", claim)
                        .isFalse();
                assertThat(rig.store().toStop(by, List.of(claim.ref())))
                        .as("%s", claim)
                        .containsExactly(claim.ref().job());
                assertThat(rig.store().depart(claim.lease())).as("%s", claim).isInstanceOf(Departure.Gone.class);
                assertThat(rig.store().holds().pushBack(claim.lease(), PUSHED).isHeld())
                        .as("%s", claim)
                        .isFalse();
            }
            assertThat(scene.picture()).as("%s", claim).isEqualTo(before);
        }
        assertThat(rig.store()
                        .toStop(scene.worker().id(), List.of(scene.worker().ref(scene.job()))))
                .isEmpty();
    }

    /** A write of a worker to the table of jobs; answers whether it changed one. */
    record Write(String name, Act act) {
        interface Act {
            boolean on(JobTable jobs, String worker, LeaseRef lease, long now);
        }
    }

    private static List<Write> writes() {
        Progress progress = new Progress(99, "false");
        return List.of(
                new Write(
                        "held",
                        (jobs, worker, lease, now) ->
                                !jobs.held(worker, List.of(lease)).isEmpty()),
                new Write(
                        "lease again",
                        (jobs, worker, lease, now) ->
                                !jobs.leaseAgain(worker, List.of(lease), 0, now).isEmpty()),
                new Write(
                        "report",
                        (jobs, worker, lease, now) -> jobs.report(worker, lease, new Report(progress, List.of()), 1)),
                new Write("depart", (jobs, worker, lease, now) -> jobs.depart(worker, lease, new Start(now + 1, 0))),
                new Write(
                        "give back",
                        (jobs, worker, lease, now) -> !jobs.giveBack(
                                        worker,
                                        List.of(new GiveBack(
                                                lease, JobState.SCHEDULED, now, true, true, null, "false")),
                                        now)
                                .isEmpty()),
                new Write(
                        "end alike",
                        (jobs, worker, lease, now) -> !jobs.end(worker, List.of(ending(lease)), now)
                                .get()
                                .isEmpty()),
                new Write("end each in its own way", (jobs, worker, lease, now) -> {
                    LeaseRef none = new LeaseRef(Long.MAX_VALUE, lease.epoch());
                    Ending another = new Ending(none, JobState.FAILED, null, "false");
                    return !jobs.end(worker, List.of(ending(lease), another), now)
                            .get()
                            .isEmpty();
                }));
    }

    private static Ending ending(LeaseRef lease) {
        return new Ending(lease, JobState.SUCCEEDED, null, null);
    }

    /** Transitions look before they write. What looks and what writes are statements of their own, and each is guarded. */
    @Test
    default void everyWriteOfTheTableIsGuardedByItself(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        List<Object> before = scene.picture();
        for (Claim claim : scene.falseClaims()) {
            for (Write write : writes()) {
                boolean isDone = rig.store()
                        .backend()
                        .write(tx -> write.act().on(tx.jobs(), claim.worker().id(), claim.ref(), tx.now()));
                assertThat(isDone).as("%s: %s", claim, write.name()).isFalse();
            }
            assertThat(scene.picture()).as("%s", claim).isEqualTo(before);
        }
    }

    @Test
    default void everyWriteOfTheTableChangesItsOwnJobAlone(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        List<Object> before = scene.picture();
        for (Write write : writes()) {
            assertThatExceptionOfType(Undone.class)
                    .isThrownBy(() -> rig.store().backend().write(tx -> {
                        JobRow beside = tx.jobs().find(scene.beside().value());
                        LeaseRef lease = scene.worker().ref(scene.job());
                        assertThat(write.act().on(tx.jobs(), scene.worker().id(), lease, tx.now()))
                                .as(write.name())
                                .isTrue();
                        assertThat(tx.jobs().find(scene.beside().value()))
                                .as(write.name())
                                .isEqualTo(beside);
                        throw new Undone();
                    }));
        }
        assertThat(scene.picture()).isEqualTo(before);
    }

    /** A claim locks what it starts; the statement that starts it looks once more. */
    @Test
    default void onlyAJobThatIsQueuedIsLeased(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        JobId later = rig.enqueue(job("mail").after(Duration.ofDays(1)));
        JobId after = rig.enqueue(job("mail").after(scene.job()));
        List<Object> before = scene.picture();
        for (JobId id : List.of(scene.job(), later, after)) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> rig.store()
                            .backend()
                            .write(tx -> tx.jobs()
                                    .lease(scene.other().id(), List.of(id.value()), 0, tx.now())
                                    .get()));
        }
        assertThat(scene.picture()).isEqualTo(before);
        assertThat(rig.state(later)).isEqualTo(JobState.SCHEDULED);
        assertThat(rig.state(after)).isEqualTo(JobState.AWAITING);
    }

    /** An operator's order looks at a job before it writes; each write is guarded by itself all the same. */
    @Test
    default void whatIsForWaitingJobsLeavesRunningOnesAlone(Rig rig) {
        Scene scene = Scene.set(rig, "mail");
        long id = scene.job().value();
        List<Object> before = scene.picture();
        rig.store().backend().write(tx -> {
            long now = tx.now();
            assertThat(tx.jobs().endWaiting(id, JobState.CANCELLED, "false", now))
                    .isFalse();
            tx.jobs().endWaiting(Map.of(id, "false"), now);
            assertThat(tx.jobs().requeue(id, JobState.QUEUED, now)).isNull();
            tx.jobs().park(Map.of(id, "false"), ParkReason.UNKNOWN_HANDLER);
            assertThat(tx.jobs().unpark(List.of(id), now)).isEmpty();
            assertThat(tx.edges().lockAwaiting(List.of(id))).isEmpty();
            return null;
        });
        assertThat(scene.picture()).isEqualTo(before);
    }

    @Test
    default void onlyARunningJobIsAskedToStop(Rig rig) {
        JobId waiting = rig.enqueue(job("mail"));
        boolean isAsked = rig.store().backend().write(tx -> tx.jobs().requestCancel(waiting.value()));
        assertThat(isAsked).isFalse();
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(waiting);
        assertThat(worker.heartbeat().toStop()).isEmpty();
    }

    /** Rolls back what a test has written to a table behind the back of the gates. */
    final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A loss is taken back for the lease that was lost, by the worker that had it, and once. */
    @Test
    default void onlyTheWorkerThatWasLostTakesItsLossBackAndOnlyOnce(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(9));
        JobId beside = rig.enqueue(job("mail").attempts(9));
        ScriptedWorker first = rig.worker("mail");
        assertThat(first.claim(2)).containsExactly(id, beside);
        LeaseRef lost = first.ref(id);
        rig.lose(first);
        ScriptedWorker second = rig.worker("mail");
        assertThat(second.claim(2)).containsExactly(id, beside);
        second.retryNow(id);
        LeaseRef running = second.ref(id);
        for (LeaseRef wrong : List.of(new LeaseRef(id.value(), lost.epoch() + 1), running)) {
            assertThat(rig.store().cameBack(first.id(), List.of(wrong))).isZero();
        }
        assertThat(rig.store().cameBack("another", List.of(lost))).isZero();
        assertThat(rig.status(id).leases().lost()).isEqualTo(1);
        assertThat(rig.store().cameBack(first.id(), List.of(lost))).isEqualTo(1);
        assertThat(rig.store().cameBack(first.id(), List.of(lost))).isZero();
        assertThat(rig.status(id).leases().lost()).isZero();
        assertThat(rig.status(beside).leases().lost()).isEqualTo(1);
        assertThat(rig.store().attempts(beside).getFirst().outcome()).isEqualTo("lost");
    }
}
