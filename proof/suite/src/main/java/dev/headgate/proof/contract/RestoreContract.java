package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * For stores that can be backed up: a copy is made while the store is in use, an hour passes, and the copy takes its place. What the guide
 * says of that is shown here: what runs again, what is gone, what limits have forgotten, and what must be done about it.
 */
public interface RestoreContract {
    Duration HOUR = Duration.ofHours(1);

    /** Opens the store, with tables if it has none yet. */
    Backend open(StoreClock clock) throws Exception;

    /** Makes a copy as the guide says, while the store is in use. */
    void backUp() throws Exception;

    /** Puts the copy in the place of the store, which no process has open. */
    void restore() throws Exception;

    /** What the guide says to do if numbers of jobs and runs are known outside: so many of them are left out. */
    void skipNumbers(long count) throws Exception;

    private Rig rig() throws Exception {
        VirtualTime time = new VirtualTime();
        return new Rig(open(time), time);
    }

    private void restore(Rig rig) throws Exception {
        rig.store().close();
        restore();
        rig.reopenedAs(open(rig.time()));
        assertThat(rig.store().recount()).as("drift").isEmpty();
    }

    private static void assertWritesNothing(ScriptedWorker zombie, JobId job) {
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(zombie::heartbeat);
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(() -> zombie.finish(job));
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(() -> zombie.claim(9));
        assertThat(zombie.report(job, null, "a line")).isFalse();
    }

    @Test
    default void aWorkerOfTheLostHourWritesNothingIntoTheRestoredStore() throws Exception {
        try (Rig rig = rig()) {
            List<JobId> jobs = rig.enqueue(2, job("q"));
            ScriptedWorker early = rig.register("early", "q");
            assertThat(early.claim(1)).containsExactly(jobs.getFirst());
            backUp();
            early.finish(jobs.getFirst());
            assertThat(early.claim(1)).containsExactly(jobs.getLast());
            ScriptedWorker late = rig.register("late", "q");
            JobId lost = rig.enqueue(job("q"));
            assertThat(late.claim(1)).containsExactly(lost);
            rig.advance(HOUR);
            early.crash();
            late.crash();
            restore(rig);
            assertWritesNothing(early, jobs.getLast());
            assertWritesNothing(late, lost);
            rig.store().reap();
            ScriptedWorker next = rig.register("next", "q");
            assertThat(next.claim(9))
                    .as("what ran at the backup, and what ended or ran in the lost hour, runs again")
                    .containsExactlyInAnyOrderElementsOf(jobs);
            assertThat(next.ref(jobs.getLast()))
                    .as("the same job and epoch as in the lost hour: what tells the two leases apart is the worker")
                    .isEqualTo(early.ref(jobs.getLast()));
            assertWritesNothing(early, jobs.getLast());
            assertThat(early.comeBack()).isZero();
            assertThat(rig.status(jobs.getLast()).leases().worker()).isEqualTo(next.id());
            assertThat(rig.status(jobs.getFirst()).leases().lost()).isEqualTo(1);
            assertThat(next.finish(jobs.getFirst())).isTrue();
            assertThat(next.finish(jobs.getLast())).isTrue();
            assertThat(rig.store().find(lost)).as("enqueued in the lost hour").isNull();
        }
    }

    /** Younger than a lease, as after a restore to a point in time: the row of the worker says that it lives. */
    @Test
    default void aWorkerWhoseLeaseIsInTheCopyDoesNotEndWhatAnotherOneRuns() throws Exception {
        try (Rig rig = rig()) {
            ScriptedWorker early = rig.register("early", "q");
            JobId id = rig.enqueue(job("q"));
            backUp();
            assertThat(early.claim(1)).containsExactly(id);
            restore(rig);
            ScriptedWorker next = rig.register("next", "q");
            assertThat(next.claim(1)).containsExactly(id);
            assertThat(next.ref(id)).isEqualTo(early.ref(id));
            assertThat(early.heartbeat().toStop()).as("it is told to stop").containsExactly(id.value());
            assertThat(early.report(id, null, "a line")).isFalse();
            assertThat(early.fail(id, "from the lost seconds")).isFalse();
            assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
            assertThat(next.finish(id)).isTrue();
            assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
        }
    }

    @Test
    default void keysAndNumbersOfTheLostHourAreGivenAgain() throws Exception {
        try (Rig rig = rig()) {
            JobId before = rig.enqueue(job("q").dedup("before"));
            backUp();
            JobId lost = rig.enqueue(job("q").dedup("lost"));
            restore(rig);
            assertThat(rig.insert(job("q").dedup("lost")).isNew())
                    .as("taken a second time")
                    .isTrue();
            assertThat(rig.status(lost).spec().dedup().key())
                    .as("a job has the number of one that is gone")
                    .isEqualTo("lost");
            assertThat(rig.insert(job("q").dedup("before")).id())
                    .as("known to the copy")
                    .isEqualTo(before.value());
        }
    }

    @Test
    default void numbersOfTheLostHourCanBeLeftOut() throws Exception {
        try (Rig rig = rig()) {
            rig.enqueue(job("q"));
            long run = frame(rig);
            backUp();
            JobId lost = rig.enqueue(job("q"));
            restore(rig);
            rig.store().close();
            skipNumbers(100_000);
            rig.reopenedAs(open(rig.time()));
            assertThat(rig.enqueue(job("q")).value()).isGreaterThan(lost.value() + 99_000);
            assertThat(frame(rig)).isGreaterThan(run + 99_000);
        }
    }

    /** The next number of a run. */
    private static long frame(Rig rig) {
        return rig.store().backend().write(tx -> tx.frames().ids(1).getFirst());
    }

    @Test
    default void limitsForgetWhatTheLostHourGrantedUnlessTheirGatesAreHeldForOnePeriod() throws Exception {
        try (Rig rig = rig()) {
            rig.policy("gate open", "window 3/2h margin none").policy("gate held", "window 3/2h margin none");
            for (int i = 0; i < 9; i++) {
                rig.enqueue(job("open").gate("open"), job("held").gate("held"));
            }
            ScriptedWorker worker = rig.register("worker", "open", "held");
            assertThat(worker.claim(2)).hasSize(2);
            worker.finishAll();
            rig.advance(Duration.ofSeconds(1));
            backUp();
            assertThat(worker.claim(9)).as("3 of each in any two hours").hasSize(4);
            worker.finishAll();
            rig.advance(HOUR);
            assertThat(worker.claim(9)).isEmpty();
            worker.crash();
            restore(rig);
            rig.store().hold(Rig.key("gate held"), HOUR.multipliedBy(2), "restored from a backup");
            ScriptedWorker next = rig.register("next", "open", "held");
            List<JobId> over = next.claim(9);
            assertThat(over).as("4 more in the same two hours").hasSize(2);
            assertThat(over).allSatisfy(id -> assertThat(rig.status(id).queue()).isEqualTo("open"));
            next.finishAll();
            rig.advance(HOUR.multipliedBy(2));
            List<JobId> after = next.claim(9);
            assertThat(after)
                    .anySatisfy(id -> assertThat(rig.status(id).queue()).isEqualTo("held"));
            next.finishAll();
            rig.advance(Duration.ofSeconds(1));
            while (!next.claim(9).isEmpty()) {
                next.finishAll();
            }
            assertThat(rig.count("held", JobState.SUCCEEDED))
                    .as("one before the backup, and three after the hold")
                    .isEqualTo(4);
        }
    }

    @Test
    default void runsOfASchedulesLostHourAreMissedOnes() throws Exception {
        try (Rig rig = rig()) {
            for (Missed missed : Missed.values()) {
                rig.schedules()
                        .put(
                                missed.name(),
                                ScheduleTerms.of(
                                        Schedule.every(Duration.ofMinutes(20)).missed(missed),
                                        job(missed.name()).build().spec(),
                                        Duration.ZERO));
            }
            backUp();
            for (int i = 0; i < 3; i++) {
                rig.advance(Duration.ofMinutes(20));
                rig.schedules().fire();
            }
            assertThat(rig.count("ALL", JobState.QUEUED)).isEqualTo(3);
            restore(rig);
            rig.advance(Duration.ofMinutes(10));
            rig.schedules().fire();
            assertThat(rig.count("ALL", JobState.QUEUED)).as("each once more").isEqualTo(3);
            assertThat(rig.count("ONE", JobState.QUEUED)).isEqualTo(1);
            assertThat(rig.count("SKIP", JobState.QUEUED)).isZero();
        }
    }

    /** Taken while jobs run and wait in lines: the copy is of one moment. */
    @Test
    default void aCopyIsOfOneMomentAndWorksByItself() throws Exception {
        try (Rig rig = rig()) {
            LivedInStore.fill(rig);
            backUp();
            rig.advance(HOUR);
            ScriptedWorker worker = rig.register("worker", "lived");
            worker.claim(50);
            worker.finishAll();
            rig.time().set(FrozenContract.LATER);
            restore(rig);
            assertThat(new StrandedLines(rig.store().backend()).find()).isEmpty();
            new LivedInWalk(rig).readAll();
        }
    }
}
