package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.proof.Rig;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What users of Workglow know of a limiter that they give to a queue's workers: one of their own, composites, and back-off that a
 * job asks for. Runs real workers, stepped.
 */
public interface WorkglowWorkerConformance extends Conformance {
    JobType<Item> WORK = JobType.of("work", Item.class);

    record Item() {}

    private static LocalLimiter limiter(Rig rig, String limits) {
        return Limiter.inProcess(GatePolicy.parse(limits), () -> rig.time().micros() * 1_000);
    }

    private static SteppedHeadgate stepped(Rig rig, LocalLimiter limiter) {
        return pushing(rig, limiter, new AtomicInteger(), null);
    }

    /** With a handler that pushes back as often as this says. */
    private static SteppedHeadgate pushing(
            Rig rig, LocalLimiter limiter, AtomicInteger times, @Nullable Duration retryAfter) {
        SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time());
        stepped.headgate().handle(WORK, (item, job) -> {
            if (times.getAndDecrement() > 0) {
                throw job.limiterPushedBack(retryAfter);
            }
        });
        stepped.headgate().worker("q").slots(20).limiter(limiter).start();
        return stepped;
    }

    /** At most three at once, as a limiter of a user's own. */
    final class Seats implements CustomLimit {
        private int used;
        private int most;

        @Override
        public Answer tryTake(long cost) {
            if (used == 3) {
                return Denied.untilRelease("3 of 3 seats are taken");
            }
            used++;
            most = Math.max(most, used);
            return Taken.place(() -> used--);
        }

        @Override
        public int available(int max) {
            return Math.min(max, 3 - used);
        }

        @Override
        public void clear() {
            used = 0;
        }
    }

    @Test
    default void aLimiterOfTheUsersOwnStandsInFrontOfAWorkerAlsoInAComposite(Rig rig) {
        Seats seats = new Seats();
        LocalLimiter composite = limiter(rig, "window 4/60s").add(seats);
        try (SteppedHeadgate stepped = stepped(rig, composite)) {
            List<JobId> ids = rig.enqueue(16, job("q"));
            assertThat(stepped.run()).isEqualTo(ids.subList(0, 4));
            assertThat(rig.count("q", JobState.QUEUED)).as("12 still wait").isEqualTo(12);
            assertThat(stepped.runFor(Duration.ofSeconds(60))).isEqualTo(ids.subList(4, 8));
            assertThat(seats.most).isBetween(1, 3);
            assertThat(seats.used).isZero();
        }
    }

    @Test
    default void aLimiterAddedAtRunTimeTakesEffectOnTheWorker(Rig rig) {
        LocalLimiter limiter = limiter(rig, "concurrency 20");
        try (SteppedHeadgate stepped = stepped(rig, limiter)) {
            rig.enqueue(2, job("q"));
            assertThat(stepped.run()).hasSize(2);
            limiter.add(limiter(rig, "window 1/10s"));
            rig.enqueue(3, job("q"));
            assertThat(stepped.run()).hasSize(1);
            assertThat(stepped.runFor(Duration.ofSeconds(10))).hasSize(1);
        }
    }

    @Test
    default void aHoldOfTheCompositeStopsTheWorkerOfItsChildAndIsLiftedThere(Rig rig) {
        LocalLimiter child = limiter(rig, "concurrency 5");
        LocalLimiter composite = limiter(rig, "concurrency 9").add(child);
        try (SteppedHeadgate stepped = stepped(rig, child)) {
            composite.hold(Duration.ofSeconds(10), "told so");
            rig.enqueue(2, job("q"));
            assertThat(stepped.runFor(Duration.ofMillis(9_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).hasSize(2);
            composite.hold(Duration.ofHours(1), "told so");
            rig.enqueue(1, job("q"));
            assertThat(stepped.run()).isEmpty();
            assertThat(composite.release()).isTrue();
            assertThat(stepped.run()).hasSize(1);
        }
    }

    @Test
    default void aJobShutsTheLimiterOfItsWorkerAndGoesBackWithoutUsingAnAttempt(Rig rig) {
        LocalLimiter limiter = limiter(rig, "concurrency 1");
        try (SteppedHeadgate stepped = pushing(rig, limiter, new AtomicInteger(1), Duration.ofSeconds(30))) {
            List<JobId> ids = rig.enqueue(3, job("q"));
            assertThat(stepped.run()).containsExactly(ids.getFirst());
            assertThat(rig.state(ids.getFirst())).isEqualTo(JobState.QUEUED);
            assertThat(rig.status(ids.getFirst()).leases().attempt()).isZero();
            assertThat(limiter.check(1).orElseThrow().reason()).contains("rejected");
            assertThat(stepped.runFor(Duration.ofMillis(29_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).isEqualTo(ids);
            assertThat(rig.status(ids.getFirst()).leases().attempt()).isEqualTo(1);
        }
    }

    @Test
    default void whenTheLimiterOpensOneJobTriesAndTheOthersFollow(Rig rig) {
        LocalLimiter limiter = limiter(rig, "concurrency 5; back-off 4s x2 max 10m");
        try (SteppedHeadgate stepped = pushing(rig, limiter, new AtomicInteger(2), null)) {
            rig.enqueue(5, job("q"));
            assertThat(stepped.run()).as("the first shuts it for the others").hasSize(1);
            Duration first =
                    Objects.requireNonNull(limiter.check(1).orElseThrow().next());
            assertThat(first).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
            assertThat(stepped.runFor(first)).as("one goes ahead").hasSize(1);
            Duration second =
                    Objects.requireNonNull(limiter.check(1).orElseThrow().next());
            assertThat(second).as("the second in a row").isBetween(Duration.ofSeconds(8), Duration.ofSeconds(16));
            assertThat(stepped.runFor(second)).hasSize(5);
            assertThat(rig.count("q", JobState.SUCCEEDED)).isEqualTo(5);
        }
    }

    @Test
    default void anotherWorkerMayTakeTheJobAtOnce(Rig rig) {
        LocalLimiter shut = limiter(rig, "concurrency 1");
        try (SteppedHeadgate stepped = pushing(rig, shut, new AtomicInteger(1), Duration.ofHours(1))) {
            JobId id = rig.enqueue(job("q"));
            assertThat(stepped.run()).containsExactly(id);
            assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
            stepped.headgate()
                    .worker("q")
                    .limiter(limiter(rig, "concurrency 1"))
                    .start();
            assertThat(stepped.run()).containsExactly(id);
            assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
        }
    }

    @Test
    default void withoutALimiterNothingIsShutAndTheAttemptCounts(Rig rig) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            List<Integer> attempts = new ArrayList<>();
            stepped.headgate()
                    .handle(
                            WORK,
                            (item, job) -> {
                                attempts.add(job.attempt());
                                throw RetryLater.limiterPushedBack(Duration.ofSeconds(10));
                            },
                            HandlerOptions.DEFAULT.attempts(2));
            stepped.headgate().worker("q").start();
            JobId id = rig.enqueue(job("q"));
            assertThat(stepped.run()).hasSize(1);
            assertThat(stepped.runFor(Duration.ofMillis(9_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).hasSize(1);
            assertThat(attempts).containsExactly(1, 2);
            assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
            assertThat(rig.status(id).report().detail()).contains("its worker has no limiter");
        }
    }
}
