package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static dev.headgate.proof.contract.RecurrenceContract.MINUTE;
import static dev.headgate.proof.contract.RecurrenceContract.MINUTELY;
import static dev.headgate.proof.contract.RecurrenceContract.status;
import static dev.headgate.proof.contract.RecurrenceContract.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.UnknownScheduleException;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What people and programs do to schedules: put, edit, pause, resume, remove, and what is refused. */
public interface RecurrenceChangeContract extends StoreFixture {
    @Test
    default void puttingTheSameAgainChangesNothing(Rig rig) {
        assertThat(rig.schedules().put("s", terms(MINUTELY, job("mail")))).isEqualTo(PutResult.CREATED);
        rig.advance(Duration.ofSeconds(90));
        ScheduleStatus before = status(rig, "s");
        assertThat(rig.schedules().put("s", terms(MINUTELY, job("mail")))).isEqualTo(PutResult.UNCHANGED);
        assertThat(status(rig, "s")).isEqualTo(before);
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
    }

    @Test
    default void aNewTimingBeginsAnewAndAnythingElseGoesOnWhereItIs(Rig rig) {
        rig.schedules().put("s", terms(Schedule.every(Duration.ofHours(1)), job("mail")));
        rig.advance(Duration.ofMinutes(90));
        assertThat(rig.schedules().put("s", terms(Schedule.every(Duration.ofHours(1)), job("other"))))
                .isEqualTo(PutResult.CHANGED);
        assertThat(rig.schedules().fire().runs()).as("the hour that was due").isEqualTo(1);
        assertThat(rig.count("other", JobState.QUEUED)).isEqualTo(1);
        rig.advance(Duration.ofMinutes(45));
        rig.schedules().put("s", terms(Schedule.every(Duration.ofMinutes(10)), job("other")));
        assertThat(rig.schedules().fire().runs())
                .as("what the old timing missed is past")
                .isZero();
        assertThat(rig.schedules().left()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    default void aPausedScheduleStartsNothingAndMakesUpForNothing(Rig rig) {
        rig.schedules().put("s", terms(MINUTELY.missed(Missed.ALL), job("mail")));
        assertThat(rig.schedules().pause("s")).isTrue();
        assertThat(rig.schedules().left()).isNull();
        rig.advance(MINUTE.multipliedBy(5));
        assertThat(rig.schedules().fire().runs()).isZero();
        assertThat(rig.schedules().nextRuns("s", 5)).isEmpty();
        rig.schedules().put("s", terms(MINUTELY.missed(Missed.ONE), job("mail")));
        assertThat(status(rig, "s").isPaused())
                .as("a program that starts does not undo a pause")
                .isTrue();
        assertThat(rig.schedules().resume("s")).isTrue();
        assertThat(rig.schedules().fire().runs()).isZero();
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        assertThat(rig.schedules().resume("s")).as("harmless").isTrue();
        assertThat(rig.schedules().fire().runs()).isZero();
    }

    @Test
    default void aSingleInstantIsMadeUpForAfterAPauseButNeverTwice(Rig rig) {
        Schedule once = Schedule.once(rig.time().now().plusSeconds(60));
        rig.schedules().put("s", terms(once, job("mail")));
        rig.schedules().pause("s");
        rig.advance(Duration.ofHours(1));
        rig.schedules().resume("s");
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        rig.schedules().pause("s");
        rig.schedules().resume("s");
        assertThat(rig.schedules().fire().runs()).isZero();
        assertThat(rig.schedules().put("s", terms(once, job("mail")))).isEqualTo(PutResult.UNCHANGED);
        assertThat(status(rig, "s").nextAt()).isNull();
    }

    @Test
    default void anInstantInThePastFiresAtOnceUnlessMissedRunsAreSkipped(Rig rig) {
        Schedule past = Schedule.once(rig.time().now().minus(Duration.ofDays(1)));
        rig.schedules().put("s", terms(past, job("mail")));
        assertThat(rig.schedules().left()).isZero();
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.schedules().put("t", terms(past.missed(Missed.SKIP), job("mail"))))
                .withMessageContaining("schedule 't'", "never does");
    }

    @Test
    default void whatNeverComesIsRefusedAlsoByAnEdit(Rig rig) {
        ScheduleTerms never = terms(Schedule.cron("0 0 30 2 *"), job("mail"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.schedules().put("s", never))
                .withMessageContaining("cron 0 0 30 2 * in UTC");
        assertThat(rig.schedules().list()).isEmpty();
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        assertThatIllegalArgumentException().isThrownBy(() -> rig.schedules().put("s", never));
        assertThat(status(rig, "s").terms()).isEqualTo(terms(MINUTELY, job("mail")));
    }

    @Test
    default void aJobThatCouldNeverStartIsRefused(Rig rig) {
        rig.policy("gate api", "budget 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.schedules()
                        .put("s", terms(MINUTELY, job("mail").gate("api").cost(6))));
        assertThat(rig.schedules().list()).isEmpty();
    }

    @Test
    default void removingLeavesTheJobs(Rig rig) {
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        rig.advance(MINUTE);
        rig.schedules().fire();
        assertThat(rig.schedules().remove("s")).isTrue();
        assertThat(rig.schedules().remove("s")).isFalse();
        assertThat(rig.schedules().find("s")).isNull();
        rig.advance(MINUTE);
        assertThat(rig.schedules().fire().runs()).isZero();
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(1);
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        assertThat(rig.schedules().runs("s", 9)).isEmpty();
    }

    @Test
    default void everythingIsKeptAsItWasAskedFor(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        Schedule berlin = Schedule.cron("30 2 * * MON-FRI", "Europe/Berlin")
                .missed(Missed.ALL)
                .overlap(Overlap.BUFFER);
        headgate.schedules()
                .putJson(
                        "n\u00e4chtlich 'x'",
                        berlin,
                        new JsonJob(
                                "report",
                                "{\"a\":1}",
                                job -> job.queue("q")
                                        .gate("openai", 1_500)
                                        .gate("tenant:a")
                                        .cost(7)
                                        .priority(-3)
                                        .front()
                                        .delay(Duration.ofSeconds(5))
                                        .dedup("k", Duration.ofHours(2))
                                        .timeout(Duration.ofMinutes(3))
                                        .attempts(4)
                                        .retry(RetryPolicy.parse("fixed 5s"))));
        ScheduleTerms stored = status(rig, "n\u00e4chtlich 'x'").terms();
        assertThat(stored.schedule()).isEqualTo(berlin);
        rig.time().set(Instant.parse("2026-03-30T00:30:00Z"));
        rig.schedules().fire();
        var run = rig.schedules().runs("n\u00e4chtlich 'x'", 1).getFirst();
        assertThat(run.state()).isEqualTo(JobState.SCHEDULED);
        var row = Objects.requireNonNull(
                rig.store().backend().read(tx -> tx.jobs().find(run.job().value())));
        assertThat(row.spec()).isEqualTo(stored.job());
        assertThat(row.spec().cost().text()).isEqualTo("7 openai=1500");
        assertThat(row.spec().tries().timeout()).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    default void anEditChangesWhatItNamesAndNothingElse(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        headgate.schedules()
                .putJson(
                        "s",
                        MINUTELY,
                        new JsonJob(
                                "t",
                                "{\"a\":1}",
                                job -> job.queue("mail").gate("g").attempts(3)));
        PutResult put = headgate.schedules()
                .edit(
                        "s",
                        edit -> edit.schedule(s -> s.overlap(Overlap.SKIP))
                                .job(job -> job.priority(9))
                                .payloadJson("{\"a\":2}"));
        assertThat(put).isEqualTo(PutResult.CHANGED);
        ScheduleTerms terms = status(rig, "s").terms();
        assertThat(terms.schedule()).isEqualTo(MINUTELY.overlap(Overlap.SKIP));
        assertThat(terms.job().payload()).isEqualTo("{\"a\":2}");
        assertThat(terms.job().order().priority()).isEqualTo(9);
        assertThat(terms.job().lane().gates()).containsExactly("g");
        assertThat(terms.job().tries().attemptsMax()).isEqualTo(3);
        assertThat(headgate.schedules().edit("s", edit -> {})).isEqualTo(PutResult.UNCHANGED);
        Assertions.assertThatExceptionOfType(UnknownScheduleException.class)
                .isThrownBy(() -> headgate.schedules().edit("other", edit -> {}))
                .withMessageContaining("schedule 'other'");
    }

    @Test
    default void whatBelongsToOneMomentOrToOtherJobsIsRefusedAllAtOnce(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        Instant noon = Instant.parse("2030-01-01T12:00:00Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> headgate.schedules()
                        .putJson(
                                "s",
                                MINUTELY,
                                new JsonJob(
                                        "t",
                                        "{}",
                                        job -> job.at(noon).deadline(noon).as("me"))))
                .withMessageContainingAll("schedule 's'", "at(…)", "deadline(…)", "as(…)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> headgate.schedules().putJson("s", MINUTELY, new JsonJob("t", "{", job -> {})));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> headgate.schedules().putJson(" ", MINUTELY, new JsonJob("t", "{}", job -> {})))
                .withMessageContaining("schedule: expected a name");
        Assertions.assertThatExceptionOfType(UnknownScheduleException.class)
                .isThrownBy(() -> headgate.schedules().pause("nobody"));
    }

    @Test
    default void nextRunsAreTold(Rig rig) {
        Instant start = rig.time().now();
        rig.schedules().put("s", terms(MINUTELY, job("mail")));
        assertThat(rig.schedules().nextRuns("s", 2)).containsExactly(start.plusSeconds(60), start.plusSeconds(120));
        rig.advance(MINUTE.multipliedBy(3).plusSeconds(10));
        assertThat(rig.schedules().nextRuns("s", 2))
                .as("one that is due already comes first")
                .containsExactly(start.plusSeconds(180), start.plusSeconds(240));
        assertThat(rig.schedules().nextRuns("other", 2)).isNull();
    }
}
