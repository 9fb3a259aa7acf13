package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.FairShare.Charge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final Map<String, Integer> WEIGHTS = Map.of("a", 3, "b", 1, "c", 7);

    private static Shares shares(Charge charge) {
        return new Shares(new FairShare("t:*", charge), 0, 0, key -> WEIGHTS.getOrDefault(key, 1));
    }

    /** Starts jobs one after the other, always of the share whose turn it is; answers whose they were. */
    private static List<String> serve(Shares shares, int starts, String... waiting) {
        List<String> served = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            String next = next(shares, List.of(waiting));
            shares.start(next, 1);
            served.add(next);
        }
        return served;
    }

    private static String next(Shares shares, List<String> waiting) {
        String next = waiting.getFirst();
        for (String each : waiting) {
            if (shares.compare(each, 0, next, 0) < 0) {
                next = each;
            }
        }
        return next;
    }

    @Test
    void sharesOfOneWeightTakeTurns() {
        assertThat(serve(shares(Charge.JOBS), 6, "x", "y")).containsExactly("x", "y", "x", "y", "x", "y");
    }

    @Test
    void weightsDivideWhatThereIs() {
        List<String> served = serve(shares(Charge.JOBS), 4_400, "a", "b", "c");
        assertThat(count(served, "a")).isBetween(1_198L, 1_202L);
        assertThat(count(served, "b")).isBetween(398L, 402L);
        assertThat(count(served, "c")).isBetween(2_798L, 2_802L);
    }

    @Test
    void costsCountIfAskedFor() {
        Shares shares = shares(Charge.COST);
        long cheap = 0;
        long dear = 0;
        for (int i = 0; i < 1_100; i++) {
            boolean isDear = next(shares, List.of("dear", "cheap")).equals("dear");
            shares.start(isDear ? "dear" : "cheap", isDear ? 10 : 1);
            dear += isDear ? 10 : 0;
            cheap += isDear ? 0 : 1;
        }
        assertThat(Math.abs(dear - cheap)).isLessThanOrEqualTo(10);
    }

    @Test
    void whatCostsNothingCannotKeepThePlace() {
        Shares shares = shares(Charge.COST);
        shares.start("free", 0);
        assertThat(next(shares, List.of("free", "other"))).isEqualTo("other");
    }

    @Test
    void timeIsChargedWhileAJobRuns() {
        Shares shares = shares(Charge.TIME);
        shares.at(5_000_000);
        shares.stand("long", 1);
        shares.stand("short", 2);
        shares.start("long", 1);
        shares.at(65_000_000);
        assertThat(serve(shares, 20, "long", "short")).doesNotContain("long");
        shares.ended("long", 60_000_000);
        for (int i = 0; i < 20; i++) {
            shares.ended("short", 0);
        }
        assertThat(serve(shares, 10, "long", "short")).doesNotContain("long");
    }

    @Test
    void startsAtOneInstantAreSpreadByWeight() {
        Shares shares = shares(Charge.TIME);
        List<String> served = serve(shares, 44, "a", "b", "c");
        assertThat(count(served, "a")).isEqualTo(12);
        assertThat(count(served, "b")).isEqualTo(4);
        assertThat(count(served, "c")).isEqualTo(28);
    }

    @Test
    void whatRunsCountsAsLongAsJobsUsuallyAre() {
        Shares shares = shares(Charge.TIME);
        shares.at(5_000_000);
        shares.stand("x", 1);
        shares.stand("y", 2);
        shares.start("x", 1);
        shares.at(5_100_000);
        shares.ended("x", 100_000);
        assertThat(shares.usual()).isEqualTo(100_000);
        // x has had a microsecond more than one job of y counts that runs
        assertThat(serve(shares, 5, "x", "y")).containsExactly("y", "y", "x", "y", "x");
        shares.ended("x", 20_000);
        assertThat(shares.usual()).isEqualTo(90_000);
    }

    @Test
    void whatRunsIsNoDebtOfThoseThatCouldNotStart() {
        Shares shares = new Shares(new FairShare("t:*", Charge.TIME), 0, 12_000_000, key -> 1);
        shares.stand("blocked", 1);
        shares.stand("x", 2);
        for (int i = 0; i < 10; i++) {
            shares.passOver("x");
            shares.start("x", 1);
        }
        for (int i = 0; i < 10; i++) {
            shares.ended("x", 1_000);
        }
        assertThat(count(serve(shares, 10, "blocked", "x"), "blocked")).isEqualTo(5);
    }

    @Test
    void whereNotAllSharesWereReadWhatRunsCountsAsItIsStored() {
        Shares shares = new Shares(new FairShare("t:*", Charge.TIME), 0, 12_000_000, key -> 1);
        shares.stand("x", 1);
        shares.start("x", 1);
        shares.horizon(2 * Shares.UNIT);
        assertThat(shares.tag("x")).isEqualTo(shares.share("x").finish());
        assertThat(shares.isBeyondSight("x")).isFalse();
        shares.noHorizon();
        assertThat(shares.tag("x")).isEqualTo(12_000 * Shares.UNIT);
    }

    @Test
    void timeThatPassesWhileNothingRunsCostsNothing() {
        Shares shares = shares(Charge.TIME);
        shares.stand("x", 1);
        shares.stand("y", 2);
        shares.start("x", 1);
        shares.ended("x", 1_000_000);
        long before = shares.tag("x");
        shares.at(60_000_000);
        assertThat(shares.tag("x")).isEqualTo(before);
    }

    @Test
    void aClockThatStepsBackChargesNothingTwice() {
        Shares shares = shares(Charge.TIME);
        shares.at(9_000_000);
        shares.stand("x", 1);
        shares.start("x", 1);
        Shares later = shares(Charge.TIME);
        later.at(4_000_000);
        later.restore("x", shares.share("x"));
        later.ended("x", 0);
        assertThat(later.tag("x")).isEqualTo(1_000);
    }

    @Test
    void noMoreRunsThanThereAreLeases() {
        Share counted = new Share(5, 1, true, 3, 7);
        assertThat(counted.runningAtMost(4)).isEqualTo(counted);
        assertThat(counted.runningAtMost(1).running()).isOne();
        assertThat(counted.runningAtMost(0)).isEqualTo(new Share(5, 1, true));
    }

    @Test
    void whatACostIsSettledToIsCharged() {
        Shares shares = shares(Charge.COST);
        shares.stand("x", 1);
        shares.stand("y", 2);
        shares.start("x", 9);
        shares.start("y", 1);
        shares.settled("x", 9, 1);
        shares.settled("y", 1, 9);
        assertThat(serve(shares, 8, "x", "y")).doesNotContain("y");
    }

    @Test
    void aShareOfWhichNothingCanStartSavesNothingUp() {
        for (Charge charge : Charge.values()) {
            Shares shares = shares(charge);
            shares.stand("blocked", 1);
            shares.stand("x", 2);
            for (int i = 0; i < 100; i++) {
                shares.passOver("x");
                shares.start("x", 1);
                shares.at(1_000_000 + i * 1_000_000);
                shares.ended("x", 1_000_000);
            }
            shares.passOver("x");
            assertThat(count(serve(shares, 10, "blocked", "x"), "blocked"))
                    .as("%s", charge)
                    .isBetween(5L, 6L);
        }
    }

    @Test
    void aShareThatWasIdleHasNoCredit() {
        Shares shares = shares(Charge.JOBS);
        serve(shares, 100, "x");
        shares.stand("y", 5);
        assertThat(count(serve(shares, 10, "x", "y"), "y")).isBetween(5L, 6L);
    }

    @Test
    void aShareThatWasIdleHasNoDebt() {
        Shares shares = shares(Charge.JOBS);
        serve(shares, 100, "x");
        serve(shares, 100, "y");
        shares.stand("x", 5);
        assertThat(count(serve(shares, 10, "x", "y"), "x")).isBetween(5L, 6L);
    }

    @Test
    void aNewShareIsServedBeforeABacklogStartsTwice() {
        Shares shares = shares(Charge.JOBS);
        serve(shares, 1_000, "flood");
        assertThat(serve(shares, 2, "flood", "new")).contains("new");
    }

    @Test
    void aRestartPaysButMovesNobodyElse() {
        Shares shares = shares(Charge.JOBS);
        serve(shares, 10, "x", "y");
        long before = shares.virtual();
        shares.restart("x", 1);
        assertThat(shares.virtual()).isEqualTo(before);
        assertThat(serve(shares, 2, "x", "y")).containsExactly("y", "x");
    }

    @Test
    void whatWasNotReadIsNotOvertaken() {
        Shares shares = shares(Charge.JOBS);
        shares.restore("x", new Share(0, 1, true));
        shares.horizon(500_000);
        assertThat(shares.isBeyondSight("x")).isFalse();
        shares.start("x", 1);
        assertThat(shares.isBeyondSight("x")).isTrue();
    }

    @Test
    void virtualTimeStartsOverLongBeforeItOverflows() {
        Shares shares = new Shares(new FairShare("t:*", Charge.COST), Shares.REBASE_AT, 0, key -> 1);
        shares.restore("x", new Share(Shares.REBASE_AT + 5, 1, true));
        shares.restore("y", new Share(Shares.REBASE_AT + 7, 1, true));
        assertThat(shares.rebase()).isEqualTo(Shares.REBASE_AT);
        assertThat(shares.virtual()).isZero();
        assertThat(shares.tag("x")).isEqualTo(5);
        assertThat(shares.compare("x", 0, "y", 0)).isNegative();
        assertThat(shares.rebase()).isZero();
    }

    /**
     * The law of start-time fair queuing: over any interval in which two shares both wait, what they got by their weights
     * differs by at most one greatest charge of each. Random costs, comings and goings of others.
     */
    @Test
    void overAnyIntervalTwoWaitingSharesDifferByOneChargeEach() {
        long costMax = 20;
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            Shares shares = shares(Charge.COST);
            Map<String, Double> got = new HashMap<>();
            double most = 0;
            double least = 0;
            for (int i = 0; i < 500; i++) {
                List<String> waiting = new ArrayList<>(List.of("a", "b"));
                if (random.nextInt(3) > 0) {
                    waiting.add("c");
                }
                if (random.nextInt(10) == 0) {
                    waiting.add("visitor " + random.nextInt(50));
                }
                String next = next(shares, waiting);
                long cost = random.nextLong(1, costMax + 1);
                shares.start(next, cost);
                got.merge(next, cost / (double) WEIGHTS.getOrDefault(next, 1), Double::sum);
                double difference = got.getOrDefault("a", 0.0) - got.getOrDefault("b", 0.0);
                most = Math.max(most, difference);
                least = Math.min(least, difference);
            }
            // The greatest change of the difference between any two moments is the greatest over all intervals.
            assertThat(most - least).as("seed %d", seed).isLessThanOrEqualTo(costMax / 3.0 + costMax + 0.01);
        }
    }

    private static long count(List<String> served, String key) {
        return served.stream().filter(key::equals).count();
    }
}
