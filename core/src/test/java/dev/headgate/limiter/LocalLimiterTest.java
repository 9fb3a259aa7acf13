package dev.headgate.limiter;

import static dev.headgate.limit.Limit.budget;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.spaced;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limiters of one process, in time that is turned by hand. */
class LocalLimiterTest {
    private final AtomicLong nanos = new AtomicLong();

    private LocalLimiter limiter(Limit... limits) {
        return Limiter.inProcess(GatePolicy.of(limits), nanos::get);
    }

    private void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    static List<Limit> singleLimits() {
        return List.of(
                rate(7).per(ofSeconds(1)),
                rate(7).per(ofSeconds(1)).burst(3),
                rate(90_000).per(ofMinutes(1)).byCost(),
                rate(13).per(ofMillis(9)).byCost().burst(40),
                rate(1_000_003).per(ofSeconds(1)).burst(5),
                spaced(3).per(ofSeconds(1)),
                delay(ofMillis(100)),
                concurrency(3),
                window(4).per(ofSeconds(1)),
                budget(20));
    }

    /** Where the grant and the call are one there is no way to allow for. */
    @Test
    void aLimiterOfOneProcessCountsAtTheCallWhateverTheMargin() {
        List<LocalLimiter> all = List.of(
                limiter(window(2).per(ofSeconds(1)).margin(Margin.of(ofMillis(100)))),
                limiter(rate(2).per(ofSeconds(1)).burst(2).margin(Margin.of(ofMillis(100)))),
                limiter(window(2).per(ofSeconds(1)).margin(Margin.END)),
                limiter(concurrency(5)).add(window(2).per(ofSeconds(1)).margin(Margin.END)),
                limiter(concurrency(5)).add(limiter(window(2).per(ofSeconds(1)))));
        for (int round = 0; round < 3; round++) {
            for (LocalLimiter limiter : all) {
                Permit first = (Permit) limiter.tryAcquire();
                first.close();
                assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
                assertThat(limiter.tryAcquire()).isInstanceOf(Denied.class);
                assertThat(limiter.check(1).orElseThrow().next()).isLessThanOrEqualTo(ofSeconds(1));
            }
            advance(ofSeconds(1));
        }
    }

    /** What decides without a lock must decide as a gate does, also after it has moved behind one in the middle. */
    @ParameterizedTest
    @MethodSource("singleLimits")
    void everyDecisionIsThatOfAGate(Limit limit) {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            nanos.set(0);
            LocalLimiter limiter = limiter(limit);
            GateLedger gate = new GateLedger(GateKey.gate("model"), GatePolicy.of(limit), GateState.NEW);
            long movesAt = random.nextInt(200);
            java.util.ArrayDeque<Permit> out = new java.util.ArrayDeque<>();
            java.util.ArrayDeque<Long> costs = new java.util.ArrayDeque<>();
            for (int step = 0; step < 100; step++) {
                nanos.addAndGet(random.nextInt(4) == 0 ? 1_000L * random.nextInt(400_000) : 0);
                long now = nanos.get() / 1_000;
                if (step == movesAt) {
                    limiter.guarded();
                }
                long cost = limit instanceof dev.headgate.limit.Concurrency ? 1 : random.nextInt(12);
                long opens = gate.opens(cost, now);
                Duration checked = limiter.check(cost).map(Denied::next).orElse(Duration.ZERO);
                Limiter.Answer answer = limiter.tryAcquire(cost);
                assertThat(answer instanceof Permit)
                        .as("%s, seed %d, step %d, cost %d", limit.text(), seed, step, cost)
                        .isEqualTo(opens <= now);
                if (answer instanceof Permit permit) {
                    gate.take(new Waiter("", 0, cost), now);
                    out.add(permit);
                    costs.add(cost);
                } else if (opens < GateLedger.UNTIL_RELEASE) {
                    assertThat(((Denied) answer).next()).isEqualTo(Duration.ofNanos((opens - now) * 1_000));
                    assertThat(checked).isEqualTo(((Denied) answer).next());
                }
                if (!out.isEmpty() && random.nextInt(3) == 0) {
                    out.remove().close();
                    gate.release(costs.remove());
                }
            }
        }
    }

    @Test
    void aStartWithoutAPermitCountsLikeAnyOther() {
        LocalLimiter limiter = limiter(rate(1).per(ofSeconds(1)).burst(2));
        assertThat(limiter.tryStart(1)).isTrue();
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(limiter.tryStart(1)).isFalse();
        limiter.add(window(3).per(ofHours(1)));
        advance(ofSeconds(9));
        assertThat(limiter.tryStart(1)).isTrue();
        assertThat(limiter.tryStart(1)).isTrue();
        advance(ofSeconds(9));
        assertThat(limiter.tryStart(1)).isTrue();
        assertThat(limiter.tryStart(1)).isFalse();
    }

    @Test
    void aPlaceTakenWithoutAPermitIsGivenBackByItsFinishAlsoAfterTheMove() {
        LocalLimiter limiter = limiter(concurrency(2));
        limiter.finish(1);
        assertThat(limiter.tryStart(1)).isTrue();
        assertThat(limiter.tryStart(1)).isTrue();
        assertThat(limiter.tryStart(1)).isFalse();
        limiter.finish(1);
        assertThat(limiter.tryStart(1)).isTrue();
        limiter.add(budget(10));
        assertThat(limiter.tryStart(1)).isFalse();
        limiter.finish(1);
        assertThat(limiter.tryStart(9)).isTrue();
        limiter.finish(9);
        limiter.finish(1);
        limiter.finish(1);
        assertThat(limiter.available(9)).isEqualTo(2);
    }

    @Test
    void aLimitAddedAtRunTimeTakesEffectAndWhatWasSpentStaysSpent() {
        LocalLimiter limiter = limiter(rate(2).per(ofHours(1)).burst(3));
        limiter.tryAcquire();
        limiter.add(concurrency(1));
        Permit one = (Permit) limiter.tryAcquire();
        assertThat(((Denied) limiter.tryAcquire()).reason()).contains("concurrency 1");
        one.close();
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(limiter.check(1).orElseThrow().next())
                .as("the release takes longest")
                .isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.add(concurrency(2)));
    }

    @Test
    void aPlaceTakenBeforeTheMoveIsGivenBackAfterIt() {
        LocalLimiter limiter = limiter(concurrency(2));
        Permit before = (Permit) limiter.tryAcquire();
        limiter.add(delay(ofMillis(1)));
        Permit after = (Permit) limiter.tryAcquire();
        advance(ofMillis(1));
        assertThat(limiter.tryAcquire()).isInstanceOf(Denied.class);
        before.close();
        before.close();
        assertThat(limiter.available(9)).isEqualTo(1);
        after.close();
        limiter.tryAcquire();
        limiter.clear();
        assertThat(limiter.available(9)).isEqualTo(1);
    }

    @Test
    void limitersAddedToOneTakeTogetherOrNotAtAll() {
        LocalLimiter account = limiter(window(3).per(ofHours(1)));
        LocalLimiter fast = limiter(concurrency(1)).add(account);
        LocalLimiter slow = limiter(delay(ofSeconds(5))).add(account);
        Permit one = (Permit) fast.tryAcquire();
        for (int i = 0; i < 5; i++) {
            assertThat(fast.tryAcquire()).isInstanceOf(Denied.class);
        }
        assertThat(slow.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(((Denied) slow.tryAcquire()).next()).isEqualTo(ofSeconds(5));
        assertThat(account.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(((Denied) slow.tryAcquire()).next()).as("the latest of all").isEqualTo(ofHours(1));
        one.close();
        assertThat(fast.tryAcquire()).isInstanceOf(Denied.class);
        slow.clear();
        assertThat(fast.tryAcquire()).as("clear reached the shared one").isInstanceOf(Permit.class);
        assertThatIllegalArgumentException().isThrownBy(() -> account.add(fast));
        assertThatIllegalArgumentException().isThrownBy(() -> account.add(account));
    }

    /** Those that decide by one number know it as well. */
    @Test
    void whatIsUsedIsANumberBeforeAndAfterTheMove() {
        for (Limit limit : List.of(
                concurrency(2), rate(2).per(ofHours(1)).burst(2), window(2).per(ofHours(1)), budget(2))) {
            LocalLimiter limiter = limiter(limit);
            limiter.tryAcquire();
            List<Limiter.Use> before = limiter.usage();
            assertThat(before).extracting(Limiter.Use::used, Limiter.Use::most).containsExactly(tuple(1L, 2L));
            limiter.guarded();
            assertThat(limiter.usage()).isEqualTo(before);
        }
        assertThat(limiter().usage()).isEmpty();
    }

    @Test
    void aRejectionShutsTheOneThatWasAsked() {
        LocalLimiter account = limiter();
        LocalLimiter model = limiter(concurrency(3)).add(account);
        try (Permit permit = (Permit) model.tryAcquire()) {
            assertThat(permit.pushedBack(ofSeconds(90))).isTrue();
        }
        assertThat(((Denied) model.tryAcquire()).next()).isEqualTo(ofSeconds(90));
        assertThat(account.tryAcquire()).isInstanceOf(Permit.class);
    }
}
