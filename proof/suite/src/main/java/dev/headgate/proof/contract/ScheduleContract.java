package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Delays, instants and deadlines: never before, at once when due, and the exact time to sleep. */
public interface ScheduleContract extends StoreFixture {
    Duration MICRO = Duration.ofNanos(1_000);

    @Test
    default void aDelayedJobStartsWhenItIsDueAndNotAMicrosecondBefore(Rig rig) {
        JobId plain = rig.enqueue(job("mail").after(Duration.ofSeconds(5)));
        JobId gated = rig.enqueue(job("mail").gate("a").after(Duration.ofSeconds(5)));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(rig.state(plain)).isEqualTo(JobState.SCHEDULED);
        rig.advance(Duration.ofSeconds(5).minus(MICRO));
        assertThat(worker.claim(2)).isEmpty();
        rig.advance(MICRO);
        assertThat(worker.claim(2)).containsExactly(plain, gated);
        assertThat(rig.status(plain).times().readySince()).isEqualTo(rig.time().now());
    }

    @Test
    default void aJobAtAnInstantStartsThenAndOneInThePastStartsNow(Rig rig) {
        Instant noon = rig.time().now().plus(Duration.ofHours(12));
        JobId later = rig.enqueue(job("mail").at(noon));
        JobId past = rig.enqueue(job("mail").at(rig.time().now().minusSeconds(9)));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(rig.status(past).times().readySince()).isEqualTo(rig.time().now());
        assertThat(worker.claim(2)).containsExactly(past);
        rig.advance(Duration.ofHours(12));
        assertThat(worker.claim(2)).containsExactly(later);
    }

    @Test
    default void theStoreSaysExactlyHowLongToSleep(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.sleep()).isNull();
        rig.enqueue(job("mail").after(Duration.ofSeconds(50)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(50));
        rig.enqueue(job("mail").gate("a").after(Duration.ofSeconds(20).plus(MICRO)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(20).plus(MICRO));
        rig.enqueue(
                job("mail").after(Duration.ofDays(1)).deadline(rig.time().now().plusSeconds(3)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(3));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    default void delayedJobsOfOtherQueuesDoNotWakeAWorker(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("video").after(Duration.ofSeconds(1)));
        assertThat(worker.sleep()).isNull();
    }

    @Test
    default void aShutQueueIsSleptThroughUntilItOpens(Rig rig) {
        rig.policy("queue mail", "rate 1/10s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail"));
        worker.claim(1);
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(4));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    default void aGateThatTimeWillOpenIsSleptThroughExactly(Rig rig) {
        rig.policy("gate a", "rate 1/3s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a"));
        worker.claim(1);
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(3));
        rig.advance(Duration.ofSeconds(3).minus(MICRO));
        assertThat(worker.sleep()).isEqualTo(MICRO);
        rig.advance(MICRO);
        assertThat(worker.claim(1)).containsExactly(ids.getLast());
    }

    @Test
    default void aGateThatNeedsAReleaseIsNotPolled(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a"));
        worker.claim(1);
        assertThat(worker.sleep()).isNull();
    }

    @Test
    default void aDueJobWaitsAtAClosedGateLikeAnyOther(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId delayed = rig.enqueue(job("mail").gate("a").after(Duration.ofSeconds(1)));
        JobId holder = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(2)).containsExactly(holder);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(2)).isEmpty();
        assertThat(rig.state(delayed)).isEqualTo(JobState.QUEUED);
        worker.finish(holder);
        assertThat(worker.claim(2)).containsExactly(delayed);
    }

    @Test
    default void aDeadlineEndsWhateverWaits(Rig rig) {
        Instant deadline = rig.time().now().plusSeconds(10);
        JobId queued = rig.enqueue(job("mail").gate("a").deadline(deadline));
        JobId scheduled = rig.enqueue(job("mail").after(Duration.ofHours(1)).deadline(deadline));
        JobId elsewhere = rig.enqueue(job("video").deadline(deadline));
        JobId free = rig.enqueue(job("mail").gate("a"));
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(5)).containsExactly(free);
        assertThat(List.of(queued, scheduled, elsewhere)).allSatisfy(id -> {
            assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
            assertThat(rig.status(id).report().detail()).isEqualTo("deadline passed before it started");
            assertThat(rig.status(id).leases().attempt()).isZero();
        });
    }

    @Test
    default void aJobThatFailedBeforeItsDeadlineDoesNotSayThatItNeverStarted(Rig rig) {
        Instant deadline = rig.time().now().plusSeconds(10);
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").deadline(deadline));
        worker.claim(1);
        worker.retryAfter(id, Duration.ofSeconds(60));
        JobId untouched = rig.enqueue(job("video").deadline(deadline));
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(5)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(id).report().detail())
                .isEqualTo("deadline passed before attempt 2; attempt 1 did not succeed");
        assertThat(rig.status(untouched).report().detail()).isEqualTo("deadline passed before it started");
    }

    @Test
    default void howeverManyHaveExpiredNoneOfThemStarts(Rig rig) {
        Instant deadline = rig.time().now().plusSeconds(10);
        rig.enqueue(2_500, job("mail").gate("a").deadline(deadline));
        JobId free = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claimAll()).containsExactly(free);
    }

    @Test
    default void anExpiryWakesThoseWhoServeTheQueue(Rig rig) throws InterruptedException {
        rig.policy("gate gpu", "budget 5");
        JobId running = rig.enqueue(job("video").gate("gpu").cost(3));
        rig.enqueue(job("video").gate("gpu").cost(5).deadline(rig.time().now().plusSeconds(10)));
        JobId behind = rig.enqueue(job("video").gate("gpu").cost(2));
        ScriptedWorker video = rig.worker("video");
        assertThat(video.claim(5)).containsExactly(running);
        BlockingQueue<Wake> heard = new LinkedBlockingQueue<>();
        try (Backend.Subscription listening = rig.store().backend().listen(heard::add)) {
            rig.advance(Duration.ofSeconds(10));
            assertThat(rig.worker("mail").claim(5)).isEmpty();
            Wake wake;
            do {
                wake = heard.poll(120, TimeUnit.SECONDS);
            } while (wake != null && !wake.equals(new Wake.Queue("video")));
            assertThat(wake).isEqualTo(new Wake.Queue("video"));
        }
        assertThat(video.claim(5)).containsExactly(behind);
    }

    @Test
    default void aDeadlineDoesNotTouchARunningJob(Rig rig) {
        JobId id = rig.enqueue(job("mail").deadline(rig.time().now().plusSeconds(10)));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.advance(Duration.ofSeconds(20));
        worker.claim(1);
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(worker.finish(id)).isTrue();
    }

    @Test
    default void manyDueJobsAreAllPromoted(Rig rig) {
        List<JobId> ids = rig.enqueue(2_500, job("mail").after(Duration.ofSeconds(1)));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claimAll()).containsExactlyInAnyOrderElementsOf(ids);
    }
}
