package dev.headgate.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.job.Cost;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.Permit;
import dev.headgate.proof.Rig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What users of Workglow know of its limiters, for a gate of a store and for a limiter in process alike. */
public interface WorkglowLimiterConformance extends Conformance {
    /** A limiter with this policy, on the rig's clock. */
    default Limiter limiter(Rig rig, String policy) {
        if (!policy.isEmpty()) {
            rig.policy("gate api", policy);
        }
        return new GateLimiter(new PermitStore(rig.store().backend(), rig.ticker()), List.of(Rig.key("gate api")));
    }

    /** A limiter made of others, and one of these. */
    record Nested(Limiter all, Limiter inner) {}

    /** Three limiters, of which the first holds the second and that the third. */
    default Nested nested(Rig rig, String outer, String middle, String inner) {
        rig.policy("gate outer", outer);
        rig.policy("gate middle", middle);
        rig.policy("gate inner", inner);
        PermitStore permits = new PermitStore(rig.store().backend(), rig.ticker());
        return new Nested(
                new GateLimiter(permits, List.of(Rig.key("gate outer"), Rig.key("gate middle"), Rig.key("gate inner"))),
                new GateLimiter(permits, List.of(Rig.key("gate inner"))));
    }

    /** The time that the limiter goes by. */
    default Instant now(Rig rig) {
        return rig.store().holds().now();
    }

    /** So many threads ask at once; the permits that were granted. */
    private static List<Permit> askTogether(Limiter limiter, int askers) throws Exception {
        CyclicBarrier start = new CyclicBarrier(askers);
        List<Permit> granted = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(askers)) {
            List<Future<Limiter.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < askers; i++) {
                answers.add(threads.submit(() -> {
                    start.await();
                    return limiter.tryAcquire();
                }));
            }
            for (Future<Limiter.Answer> answer : answers) {
                if (answer.get() instanceof Permit permit) {
                    granted.add(permit);
                }
            }
        }
        return granted;
    }

    private static Permit granted(Limiter limiter) {
        return (Permit) limiter.tryAcquire();
    }

    private static Denied denied(Limiter limiter) {
        return (Denied) limiter.tryAcquire();
    }

    @Test
    default void theNullLimiterAlwaysLetsPass(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "");
        assertThat(askTogether(limiter, 10)).hasSize(10);
        assertThat(limiter.check(1_000)).isEmpty();
    }

    @Test
    default void ofTenParallelAskersExactlyTwoGetAPlace(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "concurrency 2");
        List<Permit> two = askTogether(limiter, 10);
        assertThat(two).hasSize(2);
        assertThat(denied(limiter).reason()).contains("2 of 2 in use", "concurrency 2");
        assertThat(denied(limiter).next()).isNull();
        two.getFirst().close();
        assertThat(askTogether(limiter, 10)).hasSize(1);
    }

    @Test
    default void aPlaceGivenBackTwiceIsOneAndUseNeverFallsBelowZero(Rig rig) {
        Limiter limiter = limiter(rig, "concurrency 1");
        Permit first = granted(limiter);
        first.close();
        first.close();
        Permit second = granted(limiter);
        first.close();
        assertThat(limiter.check(1)).isPresent();
        second.close();
        granted(limiter);
        assertThat(limiter.check(1)).isPresent();
    }

    @Test
    default void clearResetsAndLatePermitsAreVoid(Rig rig) {
        Limiter limiter = limiter(rig, "concurrency 1; window 1/1h");
        Permit old = granted(limiter);
        limiter.hold(Duration.ofHours(2), "told so");
        limiter.clear();
        Permit fresh = granted(limiter);
        old.close();
        assertThat(old.settle(5)).isFalse();
        assertThat(limiter.check(1)).isPresent();
        fresh.close();
    }

    @Test
    default void aHoldInTheFutureBlocksOneInThePastIsIgnoredAndTheLaterStands(Rig rig) {
        Limiter limiter = limiter(rig, "concurrency 2");
        assertThat(limiter.hold(Duration.ofSeconds(-1), "past")).isFalse();
        assertThat(limiter.hold(Duration.ZERO, "now")).isFalse();
        granted(limiter);
        assertThat(limiter.hold(Duration.ofSeconds(5), "maintenance")).isTrue();
        limiter.hold(Duration.ofSeconds(2), "shorter");
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(5));
        assertThat(denied(limiter).reason()).contains("maintenance");
        rig.advance(Duration.ofSeconds(5));
        granted(limiter);
    }

    @Test
    default void aReleaseEndsAHoldAndKeepsWhatWasSpent(Rig rig) {
        Limiter limiter = limiter(rig, "window 2/1h margin none");
        granted(limiter);
        assertThat(limiter.release()).as("was not held").isFalse();
        limiter.hold(Duration.ofHours(9), "by mistake");
        assertThat(limiter.release()).isTrue();
        granted(limiter);
        assertThat(denied(limiter).reason()).contains("window");
    }

    @Test
    default void aHoldCanEndAtAnInstant(Rig rig) {
        Limiter limiter = limiter(rig, "concurrency 2");
        Instant now = now(rig);
        assertThat(limiter.holdUntil(now.minusSeconds(5), "past")).isFalse();
        granted(limiter);
        assertThat(limiter.holdUntil(now.plusSeconds(90), "told so")).isTrue();
        assertThat(Objects.requireNonNull(denied(limiter).next()))
                .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(91));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.holdUntil(now.plus(Duration.ofDays(400)), "ages"))
                .withMessageContaining("at most 366");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.hold(Duration.ofSeconds(Long.MAX_VALUE), "for ever"))
                .withMessageContaining("at most 366d");
    }

    @Test
    default void aWaitInThePastIsTheBackOffAndAHugeOneIsCut(Rig rig) {
        Limiter limiter = limiter(rig, "concurrency 5; back-off 4s x2 max 10m");
        granted(limiter).pushedBack(Duration.ofSeconds(-90));
        assertThat(Objects.requireNonNull(denied(limiter).next()))
                .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        limiter.release();
        granted(limiter).pushedBack(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofDays(366));
    }

    @Test
    default void ofFiveParallelAskersAtADelayOneWinsUntilTheDelayIsOver(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "delay 100ms");
        assertThat(askTogether(limiter, 5)).hasSize(1);
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofMillis(100));
        rig.advance(Duration.ofNanos(99_999_000));
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofNanos(1_000));
        rig.advance(Duration.ofNanos(1_000));
        assertThat(askTogether(limiter, 5)).hasSize(1);
    }

    @Test
    default void evenlySpacedTenPerTenSecondsIsASecondWhateverTheDurations(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "spaced 10/10s");
        List<Permit> first = askTogether(limiter, 5);
        assertThat(first).hasSize(1);
        first.getFirst().close();
        for (int i = 0; i < 3; i++) {
            assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(1));
            rig.advance(Duration.ofSeconds(1));
            granted(limiter);
        }
    }

    /** The second recipe of its documentation. */
    @Test
    default void evenSpacingAndADelayTogetherKeepTheStricter(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "spaced 10/10s; delay 100ms");
        for (int i = 0; i < 3; i++) {
            assertThat(askTogether(limiter, 5)).hasSize(1);
            assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(1));
            assertThat(denied(limiter).reason()).contains("spaced 10/10s");
            rig.advance(Duration.ofMillis(999));
            assertThat(denied(limiter).next()).isEqualTo(Duration.ofMillis(1));
            rig.advance(Duration.ofMillis(1));
        }
        limiter.clear();
        granted(limiter);
        limiter.hold(Duration.ofSeconds(7), "maintenance");
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(7));
        assertThat(limiter.release()).isTrue();
        assertThat(denied(limiter).next())
                .as("the hold is lifted, the start stays")
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void aFullWindowDeniesUntilItsFirstStartIsAWindowAgo(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "window 4/60s margin none");
        assertThat(askTogether(limiter, 16)).hasSize(4);
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(60));
        rig.advance(Duration.ofSeconds(60));
        assertThat(askTogether(limiter, 16)).hasSize(4);
    }

    @Test
    default void aFullWindowWithAMarginDeniesAsLongFromTheEndOfItsCalls(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "window 4/60s margin 1s");
        List<Permit> four = askTogether(limiter, 16);
        assertThat(four).hasSize(4);
        four.forEach(Permit::close);
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(60));
        rig.advance(Duration.ofSeconds(60));
        assertThat(askTogether(limiter, 16)).hasSize(4);
    }

    @Test
    default void backOffGrowsPerRejectionAndNotPerDeniedPoll(Rig rig) {
        Limiter limiter = limiter(rig, "window 100/1s; back-off 1s x2 max 3s");
        for (long seconds : List.of(1L, 2L, 3L, 3L)) {
            try (Permit permit = granted(limiter)) {
                assertThat(permit.pushedBack(null)).isTrue();
            }
            for (int poll = 0; poll < 5; poll++) {
                assertThat(denied(limiter).reason()).contains("hold");
            }
            Duration next = Objects.requireNonNull(denied(limiter).next());
            assertThat(next).isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(2 * seconds));
            rig.advance(next);
        }
    }

    @Test
    default void afterARejectionOneGoesAheadAndTheOthersFollowWhenItCameBackWell(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "concurrency 5; back-off 1s x2 max 10m");
        Permit one = granted(limiter);
        Permit two = granted(limiter);
        one.pushedBack(Duration.ofSeconds(30));
        two.pushedBack(Duration.ofSeconds(20));
        one.close();
        two.close();
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(30));
        rig.advance(Duration.ofSeconds(29));
        assertThat(askTogether(limiter, 5)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        List<Permit> probe = askTogether(limiter, 5);
        assertThat(probe).hasSize(1);
        probe.getFirst().renew();
        probe.getFirst().close();
        assertThat(askTogether(limiter, 9)).hasSize(5);
    }

    @Test
    default void ofSeveralLimitsOneThatRefusesLeavesNoTraceInTheOthersAndTheLatestIsNext(Rig rig) {
        Limiter limiter = limiter(rig, "window 3/1h; delay 1s; concurrency 2");
        granted(limiter).close();
        for (int poll = 0; poll < 5; poll++) {
            assertThat(denied(limiter).next()).isEqualTo(Duration.ofSeconds(1));
        }
        rig.advance(Duration.ofSeconds(1));
        granted(limiter).close();
        rig.advance(Duration.ofSeconds(1));
        granted(limiter).close();
        rig.advance(Duration.ofSeconds(1));
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofHours(1).minusSeconds(3));
        limiter.clear();
        granted(limiter);
        assertThat(denied(limiter).next()).as("clear reached all of them").isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void nestedLimitersTakeOfAllOrOfNoneAndTheLatestIsNext(Rig rig) throws Exception {
        Nested nested = nested(rig, "concurrency 5", "window 3/1h margin none", "delay 1s");
        assertThat(askTogether(nested.all(), 5)).hasSize(1);
        for (int poll = 0; poll < 5; poll++) {
            assertThat(denied(nested.all()).next()).isEqualTo(Duration.ofSeconds(1));
        }
        assertThat(denied(nested.inner()).next()).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        granted(nested.inner());
        assertThat(denied(nested.all()).reason())
                .as("the inner one was asked alone")
                .contains("delay 1s");
        rig.advance(Duration.ofSeconds(1));
        granted(nested.all());
        assertThat(nested.all().usage())
                .extracting(Limiter.Use::used, Limiter.Use::most)
                .as("denials left no trace")
                .containsExactly(tuple(2L, 5L), tuple(2L, 3L), tuple(1L, 1L));
        rig.advance(Duration.ofSeconds(1));
        granted(nested.all());
        rig.advance(Duration.ofSeconds(1));
        assertThat(denied(nested.all()).next()).isEqualTo(Duration.ofHours(1).minusSeconds(4));
        assertThat(nested.inner().tryAcquire()).isInstanceOf(Permit.class);
    }

    @Test
    default void aHoldReachesAllThatALimiterIsMadeOfAndSoDoItsReleaseAndAClear(Rig rig) {
        Nested nested = nested(rig, "concurrency 5", "window 9/1h margin none", "window 2/1h margin none");
        assertThat(nested.all().release()).as("was not held").isFalse();
        assertThat(nested.all().hold(Duration.ofSeconds(30), "told so")).isTrue();
        assertThat(denied(nested.inner()).next()).isEqualTo(Duration.ofSeconds(30));
        assertThat(denied(nested.inner()).reason()).contains("told so");
        assertThat(nested.inner().hold(Duration.ofSeconds(20), "shorter")).isFalse();
        assertThat(nested.inner().hold(Duration.ofSeconds(40), "longer")).isTrue();
        assertThat(denied(nested.all()).next()).isEqualTo(Duration.ofSeconds(40));
        assertThat(nested.all().hold(Duration.ofSeconds(35), "longer than some of them"))
                .isTrue();
        assertThat(nested.all().release()).isTrue();
        granted(nested.inner());
        granted(nested.all());
        assertThat(denied(nested.inner()).reason())
                .as("what was spent stays spent")
                .contains("window");
        nested.all().holdUntil(now(rig).plusSeconds(90), "until then");
        assertThat(Objects.requireNonNull(denied(nested.inner()).next())).isGreaterThan(Duration.ofMinutes(50));
        nested.all().clear();
        granted(nested.inner());
        assertThat(nested.inner().usage()).extracting(Limiter.Use::used).containsExactly(1L);
    }

    @Test
    default void whatIsUsedOfAWindowIsANumber(Rig rig) {
        Limiter limiter = limiter(rig, "window 4/60s margin none; concurrency 3; rate 100/1m burst 100 by-cost");
        assertThat(limiter.usage()).extracting(Limiter.Use::used).containsOnly(0L);
        Permit one = (Permit) limiter.tryAcquire(30);
        Permit two = (Permit) limiter.tryAcquire(10);
        assertThat(limiter.tryAcquire(90)).isInstanceOf(Denied.class);
        assertThat(limiter.usage())
                .extracting(use -> use.limit().getClass().getSimpleName(), Limiter.Use::used, Limiter.Use::most)
                .containsExactlyInAnyOrder(
                        tuple("Window", 2L, 4L), tuple("Concurrency", 2L, 3L), tuple("Rate", 40L, 100L));
        one.settle(50);
        one.close();
        rig.advance(Duration.ofSeconds(6));
        assertThat(limiter.usage())
                .extracting(Limiter.Use::used)
                .as("a start that has ended stays in its window")
                .containsExactlyInAnyOrder(2L, 1L, 50L);
        two.close();
        rig.advance(Duration.ofSeconds(54));
        assertThat(limiter.usage()).extracting(Limiter.Use::used).containsOnly(0L);
    }

    @Test
    default void settlingGivesBackWhatWasTooMuchOnceAndADebtDelays(Rig rig) {
        Limiter limiter = limiter(rig, "rate 10/1s burst 10 by-cost");
        Permit permit = (Permit) limiter.tryAcquire(10);
        assertThat(limiter.check(4)).isPresent();
        assertThat(permit.settle(6)).isTrue();
        assertThat(permit.settle(0)).isFalse();
        permit.close();
        assertThat(limiter.check(4)).isEmpty();
        Permit cheap = (Permit) limiter.tryAcquire(4);
        cheap.settle(14);
        cheap.close();
        assertThat(denied(limiter).next()).isEqualTo(Duration.ofMillis(1_100));
        assertThat(((Denied) limiter.tryAcquire(11)).isNever()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(-1));
    }

    @Test
    default void aCostHasOneBoundEverywhereAndNoSumOpensALimit(Rig rig) throws Exception {
        long most = Cost.UNITS_MAX;
        for (String policy : List.of("budget 5", "rate 10/1s burst 10 by-cost", "window 10/1h by-cost margin none")) {
            Limiter limiter = limiter(rig, policy);
            limiter.clear();
            Permit permit = (Permit) limiter.tryAcquire(1);
            for (long wrong : List.of(most + 1, Long.MAX_VALUE, -1L)) {
                for (ThrowingCallable ask : List.<ThrowingCallable>of(
                        () -> permit.settle(wrong),
                        () -> limiter.tryAcquire(wrong),
                        () -> limiter.acquire(wrong, Duration.ZERO),
                        () -> limiter.check(wrong))) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(ask)
                            .withMessageContaining("expected a cost from 0 to 1000000000000, got " + wrong);
                }
            }
            assertThat(permit.settle(most)).isTrue();
            assertThat(limiter.check(1)).as("%s owes what was settled", policy).isPresent();
            permit.close();
            assertThat(limiter.acquire(Cost.UNITS_MAX, Duration.ofSeconds(Long.MIN_VALUE)))
                    .isInstanceOf(Denied.class);
        }
    }

    @Test
    default void aBudgetCountsCostUpToEqualityAndSettlesWhatIsHeld(Rig rig) {
        Limiter limiter = limiter(rig, "budget 5");
        Permit four = (Permit) limiter.tryAcquire(4);
        assertThat(limiter.tryAcquire(2)).isInstanceOf(Denied.class);
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Permit.class);
        four.settle(1);
        Permit three = (Permit) limiter.tryAcquire(3);
        assertThat(limiter.check(1)).isPresent();
        three.close();
        four.close();
        assertThat(limiter.check(4)).isEmpty();
    }

    @Test
    default void whoeverWaitsGetsWhatIsFreeAndIsDeniedAtOnceIfItNeverFits(Rig rig) throws Exception {
        Limiter limiter = limiter(rig, "budget 5");
        assertThat(limiter.acquire(5, Duration.ofSeconds(20))).isInstanceOf(Permit.class);
        assertThat(limiter.acquire(1, Duration.ZERO)).isInstanceOf(Denied.class);
        assertThat(((Denied) limiter.acquire(6, Duration.ofHours(1))).isNever()).isTrue();
    }
}
