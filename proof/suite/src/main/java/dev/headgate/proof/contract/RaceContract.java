package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.Verification;
import dev.headgate.internal.evidence.Proof;
import dev.headgate.internal.evidence.StoredJournals;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.time.WallClock;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.race.Race;
import dev.headgate.spi.Backend;
import org.junit.jupiter.api.Test;

/**
 * Real threads on a real clock: workers that claim, end, fail and hand back while others enqueue, at gates they share.
 * A worker without work sleeps until it is woken, with no poll to save it: a lost wake-up is a test that never ends.
 */
public interface RaceContract extends StoreFixture {
    @Test
    default void racingWorkersLoseNothingAndExceedNoLimit() throws InterruptedException {
        try (Backend backend = open(WallClock::micros);
                JobStore store = new JobStore(backend)) {
            check(store, new Race(store, 4, 2, 300));
        }
    }

    @Test
    default void racingWorkersOnFairSharesLoseNothingAndExceedNoLimit() throws InterruptedException {
        try (Backend backend = open(WallClock::micros);
                JobStore store = new JobStore(backend)) {
            check(store, new Race(store, 4, 2, 300).fair());
        }
    }

    /** A start that is late for its margin goes back, as in a worker; all others are judged where they start. */
    @Test
    default void racingWorkersKeepWindowsAndRatesWhereHandlersStart() throws InterruptedException {
        try (Backend backend = open(WallClock::micros);
                JobStore store = new JobStore(backend)) {
            check(store, new Race(store, 4, 2, 300).timed());
        }
    }

    private static void check(JobStore store, Race race) throws InterruptedException {
        race.run();
        assertThat(race.violations()).isEmpty();
        assertThat(store.recount()).isEmpty();
        assertThat(store.journalGates()).contains(GateKey.gate("shared"));
        for (GateKey gate : store.journalGates()) {
            Verification verification = Proof.of(gate, StoredJournals.of(store.backend(), gate), null, null);
            assertThat(verification.isGood()).as("%s: %s", gate, verification).isTrue();
        }
        assertThat(store.overview(100).jobs())
                .as("all that was enqueued has succeeded, once each")
                .allSatisfy(count -> {
                    assertThat(count.state()).isEqualTo(JobState.SUCCEEDED);
                    assertThat(count.jobs()).isEqualTo(600);
                })
                .hasSize(1);
    }
}
