package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.spi.ScheduleRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Schedules in virtual time: one job at each instant, whatever was missed, is still running, fails or is refused. */
public interface RecurrenceContract extends StoreFixture {
    Duration MINUTE = Duration.ofMinutes(1);
    Schedule MINUTELY = Schedule.every(MINUTE);

    static ScheduleTerms terms(Schedule schedule, Jobs.Draft draft) {
        return ScheduleTerms.of(schedule, draft.build().spec(), Duration.ZERO);
    }

    static ScheduleStatus status(Rig rig, String name) {
        return Objects.requireNonNull(rig.schedules().find(name));
    }

    private static List<Instant> instants(Rig rig, String name) {
        return rig.schedules().runs(name, 1_000).reversed().stream()
                .map(ScheduledRun::at)
                .toList();
    }

    private static List<Instant> minutes(int... after) {
        return java.util.Arrays.stream(after)
                .mapToObj(minute -> dev.headgate.testkit.VirtualTime.START.plus(MINUTE.multipliedBy(minute)))
                .toList();
    }

    private static JobId jobOf(Rig rig, String name) {
        return rig.schedules().runs(name, 1).getFirst().job();
    }

    @Test
    default void oneJobIsEnqueuedAtTheInstantAndNotAMicrosecondBefore(Rig rig) {
        ScheduleStore schedules = rig.schedules();
        schedules.put("s", terms(MINUTELY, job("mail")));
        assertThat(schedules.left()).isEqualTo(MINUTE);
        rig.advance(MINUTE.minusNanos(1_000));
        assertThat(schedules.fire().runs()).isZero();
        rig.advance(Duration.ofNanos(1_000));
        assertThat(schedules.left()).isZero();
        assertThat(schedules.fire().runs()).isEqualTo(1);
        assertThat(schedules.fire().runs()).isZero();
        assertThat(schedules.left()).isEqualTo(MINUTE);
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(1);
        assertThat(rig.worker("mail").claim(5)).containsExactly(jobOf(rig, "s"));
        assertThat(schedules.findRun(jobOf(rig, "s"))).satisfies(run -> {
            assertThat(run.schedule()).isEqualTo("s");
            assertThat(run.at()).isEqualTo(minutes(1).getFirst());
            assertThat(run.state()).isEqualTo(JobState.RUNNING);
        });
    }

    @Test
    default void beingLateNeverShiftsWhatFollows(Rig rig) {
        ScheduleStore schedules = rig.schedules();
        schedules.put("s", terms(Schedule.cron("*/3 * * * *").missed(Missed.ALL), job("mail")));
        Random random = new Random(3);
        for (int look = 0; look < 40; look++) {
            rig.advance(Duration.ofMillis(random.nextInt(600_000)));
            schedules.fire();
        }
        List<Instant> instants = instants(rig, "s");
        assertThat(instants)
                .hasSizeGreaterThan(40)
                .isEqualTo(Schedule.cron("*/3 * * * *").next(dev.headgate.testkit.VirtualTime.START, instants.size()));
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(instants.size());
    }

    @Test
    default void missedRunsAreSkippedMadeUpForByOneOrByAll(Rig rig) {
        ScheduleStore schedules = rig.schedules();
        Schedule tenth = Schedule.every(Duration.ofMinutes(10));
        schedules.put("skip", terms(tenth.missed(Missed.SKIP), job("skip")));
        schedules.put("one", terms(tenth, job("one")));
        schedules.put("all", terms(tenth.missed(Missed.ALL), job("all")));
        rig.advance(Duration.ofMinutes(35));
        assertThat(schedules.fire().runs()).isEqualTo(4);
        assertThat(instants(rig, "skip")).isEmpty();
        assertThat(instants(rig, "one")).isEqualTo(minutes(30));
        assertThat(instants(rig, "all")).isEqualTo(minutes(10, 20, 30));
        rig.advance(Duration.ofMinutes(5));
        assertThat(schedules.fire().runs()).isEqualTo(3);
        assertThat(instants(rig, "skip")).isEqualTo(minutes(40));
    }

    @Test
    default void runsGoSideBySideUnlessToldOtherwise(Rig rig) {
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        for (int minute = 0; minute < 3; minute++) {
            rig.advance(MINUTE);
            rig.schedules().fire();
        }
        assertThat(rig.worker("mail").claim(9)).hasSize(3);
    }

    @Test
    default void aRunIsLeftOutWhileAnEarlierOneHasNotEnded(Rig rig) {
        ScheduleStore schedules = rig.schedules();
        ScriptedWorker worker = rig.worker("mail");
        schedules.put("s", terms(MINUTELY.overlap(Overlap.SKIP).missed(Missed.ALL), job("mail")));
        rig.advance(MINUTE);
        schedules.fire();
        rig.advance(MINUTE);
        assertThat(schedules.fire().leftOut())
                .containsExactly("schedule 's': the run of %s was left out: an earlier one has not ended"
                        .formatted(minutes(2).getFirst()));
        JobId first = worker.claim(1).getFirst();
        rig.advance(MINUTE);
        assertThat(schedules.fire().runs()).isZero();
        worker.retryAfter(first, Duration.ofHours(1));
        rig.advance(MINUTE);
        assertThat(schedules.fire().runs())
                .as("one that waits for its next attempt has not ended")
                .isZero();
        rig.store().cancel(first);
        rig.advance(MINUTE.multipliedBy(2));
        assertThat(schedules.fire().runs()).as("of two missed ones the first").isEqualTo(1);
        assertThat(instants(rig, "s")).isEqualTo(minutes(1, 5));
        rig.store().cancel(jobOf(rig, "s"));
        rig.advance(MINUTE);
        schedules.fire();
        assertThat(status(rig, "s").note()).as("all is well again").isNull();
    }

    @Test
    default void oneRunIsKeptUntilTheEarlierOneHasEndedHoweverThatEnds(Rig rig) {
        ScheduleStore schedules = rig.schedules();
        ScriptedWorker worker = rig.worker("mail");
        schedules.put("s", terms(MINUTELY.overlap(Overlap.BUFFER), job("mail")));
        rig.advance(MINUTE);
        schedules.fire();
        JobId first = worker.claim(9).getFirst();
        rig.advance(MINUTE);
        schedules.fire();
        JobId kept = jobOf(rig, "s");
        assertThat(rig.state(kept)).isEqualTo(JobState.AWAITING);
        rig.advance(MINUTE);
        assertThat(schedules.fire().leftOut()).hasSize(1);
        assertThat(worker.claim(9)).isEmpty();
        worker.fail(first, "boom");
        assertThat(worker.claim(9)).containsExactly(kept);
        rig.advance(MINUTE);
        schedules.fire();
        assertThat(instants(rig, "s")).isEqualTo(minutes(1, 2, 4));
    }

    @Test
    default void ofManyMissedRunsOneStartsAndOneIsKept(Rig rig) {
        Schedule all = MINUTELY.overlap(Overlap.BUFFER).missed(Missed.ALL);
        rig.schedules().put("s", terms(all, job("mail")));
        rig.advance(MINUTE.multipliedBy(5));
        assertThat(rig.schedules().fire().runs()).isEqualTo(2);
        ScriptedWorker worker = rig.worker("mail");
        JobId first = worker.claim(9).getFirst();
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(first);
        assertThat(worker.claim(9)).containsExactly(jobOf(rig, "s"));
    }

    @Test
    default void limitsApplyToWhatIsDueAsToAnyOtherJob(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        rig.schedules()
                .put(
                        "s",
                        terms(
                                MINUTELY.missed(Missed.ALL),
                                job("mail").gate("api").cost(3)));
        rig.advance(MINUTE.multipliedBy(2));
        rig.schedules().fire();
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> started = worker.claim(9);
        assertThat(started).hasSize(1);
        assertThat(rig.leases("gate api")).isEqualTo(1);
        worker.finish(started.getFirst());
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void failedRunsDoNotEndASchedule(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.schedules().put("s", terms(MINUTELY, job("mail").attempts(1)));
        for (int minute = 1; minute <= 5; minute++) {
            rig.advance(MINUTE);
            assertThat(rig.schedules().fire().runs()).isEqualTo(1);
            worker.fail(worker.claim(1).getFirst(), "boom");
        }
        assertThat(rig.count("mail", JobState.FAILED)).isEqualTo(5);
    }

    @Test
    default void aRunThatIsRefusedIsNotedHurtsNoOtherScheduleAndTheNextOneCounts(Rig rig) {
        rig.policy("queue full", "backlog 1 reject");
        rig.schedules().put("a", terms(MINUTELY, job("mail")));
        rig.schedules().put("b", terms(MINUTELY, job("full")));
        rig.schedules().put("c", terms(MINUTELY, job("mail")));
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(3);
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire()).satisfies(fired -> {
            assertThat(fired.runs()).isEqualTo(2);
            assertThat(fired.troubles()).singleElement().asString().contains("'b'", "was refused", "queue full");
        });
        assertThat(status(rig, "b").note()).contains("was refused");
        assertThat(status(rig, "b").nextAt()).isEqualTo(minutes(3).getFirst());
        rig.policy("queue full", "backlog 9 reject");
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(3);
        assertThat(status(rig, "b").note()).isNull();
        assertThat(instants(rig, "b")).isEqualTo(minutes(1, 3));
    }

    @Test
    default void whatIsRefusedIsTriedAgainRunByRunUntilThereIsRoom(Rig rig) {
        ScriptedWorker worker = rig.worker("full");
        rig.policy("queue full", "backlog 3 reject");
        rig.schedules().put("all", terms(Schedule.every(Duration.ofHours(1)).missed(Missed.ALL), job("full")));
        rig.advance(Duration.ofHours(5));
        assertThat(rig.schedules().fire().runs())
                .as("as many as there is room for")
                .isEqualTo(3);
        rig.schedules().put("once", terms(Schedule.once(rig.time().now()), job("full")));
        assertThat(rig.schedules().fire().troubles()).singleElement().asString().contains("'once'", "tried again");
        assertThat(status(rig, "once").nextAt()).isEqualTo(rig.time().now().plus(MINUTE));
        worker.claim(3);
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(3);
        assertThat(instants(rig, "all")).isEqualTo(minutes(60, 120, 180, 240, 300));
        assertThat(instants(rig, "once")).isEqualTo(minutes(300));
        assertThat(status(rig, "once").note()).isNull();
    }

    @Test
    default void aTimingThatMeansNothingAnyMoreIsLookedAtAgainAndHurtsNoOther(Rig rig) {
        ScheduleTerms good = terms(MINUTELY, job("mail"));
        rig.schedules().put("a", good);
        rig.schedules().put("b", good);
        ScheduleTerms bad = new ScheduleTerms(
                "cron 0 3 * * * in Gone/Away", good.missed(), good.overlap(), good.job(), good.delay());
        rig.store().backend().write(tx -> {
            ScheduleRow row = Objects.requireNonNull(tx.schedules().lock("a"));
            tx.schedules().save(new ScheduleRow("a", bad, row.createdAt(), row.progress()));
            return null;
        });
        for (int minute = 1; minute <= 3; minute++) {
            rig.advance(MINUTE);
            assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        }
        assertThat(status(rig, "a").note()).contains("cannot tell when it is due", "Gone/Away");
        assertThat(rig.schedules().list()).hasSize(2);
        rig.schedules().put("a", good);
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(2);
    }

    @Test
    default void aClockThatStepsBackFiresNothingTwice(Rig rig) {
        rig.schedules().put("s", terms(MINUTELY.missed(Missed.ALL), job("mail")));
        rig.advance(MINUTE.multipliedBy(5));
        assertThat(rig.schedules().fire().runs()).isEqualTo(5);
        rig.time().stepBack(MINUTE.multipliedBy(3));
        assertThat(rig.schedules().fire().runs()).isZero();
        rig.schedules().pause("s");
        rig.schedules().resume("s");
        rig.advance(MINUTE.multipliedBy(3));
        assertThat(rig.schedules().fire().runs()).isZero();
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        assertThat(instants(rig, "s")).isEqualTo(minutes(1, 2, 3, 4, 5, 6));
    }

    @Test
    default void manyThatAreDueAtOnceAllFire(Rig rig) {
        for (int i = 0; i < 230; i++) {
            rig.schedules().put("s" + i, terms(MINUTELY, job("mail").gate("g" + i % 7)));
        }
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(230);
        assertThat(rig.worker("mail").claimAll()).hasSize(230);
        assertThat(rig.schedules().left()).isEqualTo(MINUTE);
    }

    @Test
    default void theNewestRunsAreRememberedAndAllThatHaveNotEnded(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        rig.advance(MINUTE);
        rig.schedules().fire();
        JobId first = worker.claim(1).getFirst();
        for (int minute = 2; minute <= 105; minute++) {
            rig.advance(MINUTE);
            rig.schedules().fire();
            worker.finish(worker.claim(1).getFirst());
        }
        List<Instant> known = instants(rig, "s");
        assertThat(known)
                .hasSize(101)
                .startsWith(minutes(1).getFirst())
                .endsWith(minutes(105).getFirst());
        worker.finish(first);
        rig.advance(MINUTE);
        rig.schedules().fire();
        assertThat(instants(rig, "s")).hasSize(100);
        assertThat(rig.schedules().findRun(first)).isNull();
    }
}
