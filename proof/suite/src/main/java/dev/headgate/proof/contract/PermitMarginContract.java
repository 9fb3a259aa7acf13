package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.evidence.Replay;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.limiter.PermitStore.Granted;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Permit;
import dev.headgate.limiter.StoredLimiter;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits of limits that count a call at the latest moment at which it may be made. */
public interface PermitMarginContract extends StoreFixture {
    private static StoredLimiter limiter(Rig rig, Backend store, String... gates) {
        return new GateLimiter(
                new PermitStore(store, rig.ticker()),
                Stream.of(gates).map(GateKey::gate).toList());
    }

    private static StoredLimiter limiter(Rig rig, String... gates) {
        return limiter(rig, rig.store().backend(), gates);
    }

    private static Permit permit(StoredLimiter limiter, long cost) {
        return (Permit) limiter.tryAcquire(cost);
    }

    private static @Nullable Duration next(StoredLimiter limiter, long cost) {
        return limiter.check(cost).orElseThrow().next();
    }

    private static long late(Rig rig, String gate) {
        return rig.store()
                .backend()
                .read(tx -> tx.gates()
                        .findAll(List.of(GateKey.gate(gate)))
                        .getFirst()
                        .ledger(tx.policies(), tx.now())
                        .figures(tx.now())
                        .lags()
                        .late());
    }

    @Test
    default void aPermitThatComesTooLateIsGivenUpAndAskedForAgain(Rig rig) {
        rig.policy("gate api", "window 2/1h margin 10s").policy("gate pool", "concurrency 1");
        SlowAnswers slow = new SlowAnswers(rig).then(Duration.ofSeconds(6));
        assertThat(limiter(rig, slow, "api", "pool").tryAcquire()).isInstanceOf(Permit.class);
        assertThat(late(rig, "api")).isEqualTo(1);
        assertThat(slow.writes()).as("asked, given up, asked").isEqualTo(3);
        assertThat(rig.leases("gate pool")).isEqualTo(1);
        StoredLimiter api = limiter(rig, "api");
        assertThat(api.tryAcquire()).as("the late one left no trace").isInstanceOf(Permit.class);
        assertThat(next(api, 1))
                .as("counted when the margin of the second is over")
                .isEqualTo(Duration.ofSeconds(3610));
    }

    @Test
    default void theJournalTellsOfLatePermitsAndOfTheirEndsAndIsCertified(Rig rig) {
        rig.policy("gate api", "window 2/1h margin 10s; journal 7d").policy("gate pool", "concurrency 2; journal 7d");
        SlowAnswers slow = new SlowAnswers(rig).then(Duration.ofSeconds(6));
        permit(limiter(rig, slow, "api", "pool"), 1).close();
        permit(limiter(rig, "api"), 1).close();
        rig.advance(Duration.ofHours(1));
        permit(limiter(rig, "api"), 1);
        permit(limiter(rig, "api"), 1);
        for (String gate : List.of("api", "pool")) {
            GateKey key = GateKey.gate(gate);
            assertThat(rig.store().journal(key, 0, 9).subList(0, 3))
                    .extracting(entry -> entry.event().kind().toString())
                    .containsExactly("START", "LATE", "START");
            assertThat(Replay.of(key, after -> rig.store().journal(key, after, 50), null, null)
                            .isGood())
                    .isTrue();
        }
    }

    @Test
    default void oneThatComesInTheFirstHalfOfTheMarginIsInTime(Rig rig) {
        rig.policy("gate api", "window 2/1h margin 10s");
        SlowAnswers slow = new SlowAnswers(rig).then(Duration.ofSeconds(5));
        assertThat(limiter(rig, slow, "api").tryAcquire()).isInstanceOf(Permit.class);
        assertThat(late(rig, "api")).isZero();
        assertThat(slow.writes()).isEqualTo(1);
    }

    @Test
    default void oneThatIsLateAgainAndAgainIsDeniedAndTakesNothing(Rig rig) {
        rig.policy("gate api", "window 2/1h margin 10s; concurrency 1");
        SlowAnswers slow = new SlowAnswers(rig);
        for (int i = 0; i < 3; i++) {
            slow.then(Duration.ofSeconds(6)).then(Duration.ZERO);
        }
        Denied denied = (Denied) limiter(rig, slow, "api").tryAcquire();
        assertThat(denied.reason()).contains("6s after its grant", "allow 5s", "late");
        assertThat(denied.next()).isEqualTo(Duration.ofSeconds(5));
        assertThat(late(rig, "api")).isEqualTo(3);
        assertThat(rig.leases("gate api")).isZero();
        StoredLimiter api = limiter(rig, "api");
        permit(api, 1).close();
        permit(api, 1).close();
        assertThat(next(api, 1)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    default void whoWaitsGoesOnAskingUntilItsTimeIsOver(Rig rig) throws InterruptedException {
        rig.policy("gate api", "window 2/1h margin 10s");
        SlowAnswers slow = new SlowAnswers(rig);
        for (int i = 0; i < 3; i++) {
            slow.then(Duration.ofSeconds(6)).then(Duration.ZERO);
        }
        StoredLimiter limiter = limiter(rig, slow, "api");
        Denied denied = (Denied) limiter.acquire(1, Duration.ofSeconds(10));
        assertThat(denied.reason()).contains("late");
        assertThat(late(rig, "api")).as("asked after 0 and after 6 seconds").isEqualTo(2);
        rig.policy("gate api", "window 2/1h margin 20ms");
        for (int i = 0; i < 4; i++) {
            slow.then(Duration.ofSeconds(1)).then(Duration.ZERO);
        }
        assertThat(limiter.acquire(1, Duration.ofHours(1))).isInstanceOf(Permit.class);
        assertThat(late(rig, "api")).isGreaterThan(5);
    }

    @Test
    default void ofSeveralGatesTheSmallestMarginCountsForAll(Rig rig) {
        rig.policy("gate api", "window 1/1h margin 10s").policy("gate tenant", "window 5/1m margin 2s");
        SlowAnswers slow = new SlowAnswers(rig).then(Duration.ofMillis(1_500));
        assertThat(limiter(rig, slow, "api", "tenant").tryAcquire()).isInstanceOf(Permit.class);
        assertThat(late(rig, "api")).as("late for the tenant is late").isEqualTo(1);
        assertThat(next(limiter(rig, "api"), 1)).isEqualTo(Duration.ofSeconds(3602));
    }

    @Test
    default void aPermitThatIsClosedCountsFromThenOnIfItsMarginIsNotOver(Rig rig) {
        rig.policy("gate api", "window 1/1h margin 10s");
        SlowAnswers store = new SlowAnswers(rig);
        StoredLimiter api = limiter(rig, store, "api");
        Permit permit = permit(api, 1);
        assertThat(rig.leases("gate api")).isZero();
        rig.advance(Duration.ofSeconds(2));
        assertThat(next(api, 1)).isEqualTo(Duration.ofSeconds(3608));
        permit.close();
        permit.close();
        assertThat(next(api, 1)).isEqualTo(Duration.ofHours(1));
        assertThat(rig.leases("gate api")).isZero();
        rig.advance(Duration.ofHours(1));
        Permit second = permit(api, 1);
        rig.advance(Duration.ofSeconds(10));
        int writes = store.writes();
        second.close();
        assertThat(store.writes())
                .as("when the margin is over there is nothing to tell")
                .isEqualTo(writes);
        assertThat(next(api, 1)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    default void aPlaceThatIsGivenBackMovesItsEntryToo(Rig rig) {
        rig.policy("gate api", "window 1/1h margin 10s; concurrency 1");
        StoredLimiter api = limiter(rig, "api");
        Permit permit = permit(api, 1);
        rig.advance(Duration.ofSeconds(2));
        permit.close();
        assertThat(next(api, 1)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    default void whatWasSettledAndClosedMovesWhatIsLeftOfItAndNothingOfOthers(Rig rig) {
        rig.policy("gate api", "window 10/1h by-cost margin 10s");
        StoredLimiter api = limiter(rig, "api");
        Permit eight = permit(api, 8);
        permit(api, 2);
        rig.advance(Duration.ofSeconds(1));
        assertThat(eight.settle(3)).isTrue();
        rig.advance(Duration.ofSeconds(1));
        eight.close();
        assertThat(next(api, 8)).as("three from now on").isEqualTo(Duration.ofHours(1));
        assertThat(next(api, 9)).as("two when their margin is over").isEqualTo(Duration.ofSeconds(3608));
    }

    @Test
    default void aBucketGetsBackWhatWasTooMuchAndCountsTheRestWhenItIsClosed(Rig rig) {
        rig.policy("gate api", "rate 60/1m burst 10 by-cost margin 4s");
        StoredLimiter api = limiter(rig, "api");
        Permit eight = permit(api, 8);
        rig.advance(Duration.ofSeconds(1));
        eight.settle(3);
        rig.advance(Duration.ofSeconds(1));
        assertThat(next(api, 8)).isEqualTo(Duration.ofSeconds(3));
        eight.close();
        assertThat(limiter(rig, "api").check(7)).isEmpty();
        assertThat(next(api, 8)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void permitsOfALimitThatCountsUntilTheEndHoldPlaces(Rig rig) {
        rig.policy("gate api", "window 2/1h margin end");
        StoredLimiter api = limiter(rig, "api");
        Permit first = permit(api, 1);
        permit(api, 1);
        assertThat(rig.leases("gate api")).isEqualTo(2);
        assertThat(next(api, 1)).as("one of them must end first").isNull();
        rig.advance(Duration.ofSeconds(5));
        first.close();
        assertThat(next(api, 1)).isEqualTo(Duration.ofHours(1));
        assertThat(rig.leases("gate api")).isEqualTo(1);
    }

    @Test
    default void whatAStartWithoutAPlaceNeededMoreCountsWhereLimitsHaveComeToCountUntilTheEnd(Rig rig) {
        for (String open : List.of("window 10/1h by-cost margin end", "rate 10/1h burst 10 by-cost margin end")) {
            rig.policy("gate api", "spaced 1/1s");
            StoredLimiter api = limiter(rig, "api");
            Permit permit = permit(api, 1);
            rig.advance(Duration.ofSeconds(2));
            rig.policy("gate api", open);
            assertThat(permit.settle(9)).isTrue();
            assertThat(rig.leases("gate api")).as("it holds no place").isZero();
            assertThat(api.check(2)).as(open).isEmpty();
            assertThat(next(api, 3)).as(open).isPositive().isLessThanOrEqualTo(Duration.ofHours(1));
            rig.advance(Duration.ofHours(2));
        }
    }

    @Test
    default void oneThatExpiresThereCountsAsLostWhenItEndedWheneverThatIsFound(Rig rig) {
        rig.policy("gate api", "window 2/1h margin end");
        StoredLimiter api = limiter(rig, "api");
        permit(api, 1);
        permit(api, 1);
        rig.advance(Duration.ofSeconds(40));
        Duration toLost = Duration.ofSeconds(3590).plusMillis(500);
        assertThat(next(api, 1)).isEqualTo(toLost);
        rig.advance(Duration.ofSeconds(100));
        assertThat(next(api, 1)).isEqualTo(toLost.minusSeconds(100));
        rig.advance(toLost.minusSeconds(100));
        assertThat(api.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(rig.leases("gate api")).isEqualTo(1);
    }

    /** Ticker and store's clock count on together, so what was read first is less. */
    @Test
    default void theTickerIsReadBeforeTheStoresClockIsAskedForAPermit() {
        for (long step : new long[] {1, 2_000_000}) {
            AtomicLong count = new AtomicLong(Micros.of(Instant.parse("2026-01-01T00:00:00Z")));
            Backend backend = open(() -> count.addAndGet(step));
            JobStore store = new JobStore(backend);
            store.setPolicy(GateKey.gate("api"), GatePolicy.parse("window 100/1h margin 10m"));
            PermitStore permits = new PermitStore(backend, () -> count.addAndGet(step));
            for (int i = 0; i < 3; i++) {
                long before = count.get();
                Granted granted =
                        (Granted) permits.ask(List.of(GateKey.gate("api")), 1, -2 - i, Duration.ofSeconds(30));
                long at = granted.parts().getFirst().start().at();
                assertThat(granted.askedNanos()).isBetween(before + 1, at - 1);
                if (step > 1) {
                    assertThat(at).as("a reading that took long is taken again").isEqualTo(granted.askedNanos() + step);
                }
            }
            store.close();
        }
    }
}
