package dev.headgate.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Window;
import dev.headgate.spi.JournalTable.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The replay against every interval there is, and against what admission itself lets pass. */
class ReplayLawTest {
    private static final int ROUNDS = 200;

    @ParameterizedTest
    @ValueSource(strings = {"rate 3/10us burst 2", "rate 7/11us burst 4", "rate 2/1us burst 9 by-cost"})
    void aRateIsBrokenExactlyWhereSomeIntervalHoldsTooMuch(String limit) {
        Rate rate = (Rate) Limit.parse(limit);
        for (int seed = 0; seed < ROUNDS; seed++) {
            History history = random(limit, seed);
            List<Entry> entries = history.entries();
            long expected = 0;
            for (int last = 0; last < entries.size(); last++) {
                long units = 0;
                boolean isBroken = false;
                for (int first = last; first >= 0; first--) {
                    units += rate.isByCost()
                            ? entries.get(first).event().units()
                            : entries.get(first).event().starts();
                    long span = entries.get(last).event().at()
                            - entries.get(first).event().at();
                    isBroken |= (units - rate.burst()) * Micros.of(rate.per()) > span * rate.count();
                }
                expected += isBroken ? 1 : 0;
            }
            assertThat(history.violations()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"window 3/10us", "window 9/17us by-cost"})
    void aWindowIsBrokenExactlyWhereSomeIntervalHoldsTooMuch(String limit) {
        Window window = (Window) Limit.parse(limit);
        for (int seed = 0; seed < ROUNDS; seed++) {
            History history = random(limit, seed);
            List<Entry> entries = history.entries();
            long expected = 0;
            for (Entry last : entries) {
                long units = entries.stream()
                        .filter(entry -> entry.id() <= last.id()
                                && entry.event().at() > last.event().at() - Micros.of(window.per()))
                        .mapToLong(entry -> window.isByCost()
                                ? entry.event().units()
                                : entry.event().starts())
                        .sum();
                expected += units > window.count() ? 1 : 0;
            }
            assertThat(history.violations()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    /** Refunds in any order and at any time: what is left is what the whole history without them leaves. */
    @ParameterizedTest
    @ValueSource(strings = {"rate 3/10us burst 6 by-cost", "rate 2/1us burst 9 by-cost", "rate 1/7us burst 4 by-cost"})
    void aRateWithRefundsIsJudgedLikeTheHistoryWithoutThem(String limit) {
        Rate rate = (Rate) Limit.parse(limit);
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            History history = History.under(limit);
            List<long[]> takes = new ArrayList<>(); // instant, units that are left of it
            long at = 0;
            long expected = 0;
            for (int i = 0; i < 80; i++) {
                at += random.nextInt(9);
                int refunded = takes.isEmpty() ? 0 : random.nextInt(takes.size());
                if (random.nextInt(3) > 0 || takes.isEmpty()) {
                    at += takes.isEmpty() || takes.getLast()[0] < at ? 0 : 1; // each instant names one start
                    long units = 1L + random.nextInt(4);
                    history.batch(at, 1, units);
                    takes.add(new long[] {at, units});
                    expected += isBroken(takes, rate) ? 1 : 0;
                } else if (takes.get(refunded)[1] > 0) {
                    long back = 1L + random.nextInt((int) takes.get(refunded)[1]);
                    history.settle(at, -back, takes.get(refunded)[0]);
                    takes.get(refunded)[1] -= back;
                }
            }
            assertThat(history.violations()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static boolean isBroken(List<long[]> takes, Rate rate) {
        long last = takes.getLast()[0];
        long units = 0;
        boolean isBroken = false;
        for (long[] take : takes.reversed()) {
            units += take[1];
            isBroken |= (units - rate.burst()) * Micros.of(rate.per()) > (last - take[0]) * rate.count();
        }
        return isBroken;
    }

    private static History random(String limit, int seed) {
        Random random = new Random(seed);
        History history = History.under(limit);
        long at = 0;
        for (int i = 0; i < 60; i++) {
            at += random.nextInt(9);
            long jobs = 1L + random.nextInt(2);
            history.batch(at, jobs, jobs + random.nextInt(3));
        }
        return history;
    }

    /** Whatever admission lets pass, with costs that are settled in any order, the replay finds nothing wrong with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate 3/10us burst 5 by-cost",
                "window 20/50us by-cost",
                "window 300/1ms by-cost",
                "spaced 3/10us by-cost",
                "spaced 3/10us",
                "delay 5us; spaced 3/10us; spaced 1/4us",
                "spaced 3/10us by-cost; delay 2us; spaced 1/2us by-cost",
                "quota 50/hour UTC by-cost",
                "rate 1/7us burst 3; window 9/40us by-cost; delay 2us"
            })
    void whatAdmissionLetsPassIsFoundGood(String limits) {
        GatePolicy policy = GatePolicy.parse(limits);
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            GateLedger gate = new GateLedger(History.GATE, policy, new GateState(0, 0, 0, false, null, null, Map.of()));
            History history = History.under(limits);
            long begin = Micros.of(History.BEGIN);
            List<long[]> running = new ArrayList<>(); // what each was charged, and since when it runs
            long at = 0;
            for (int i = 0; i < 300; i++) {
                at += random.nextInt(12);
                long cost = random.nextInt(5);
                if (gate.tryTake(i + 1L, cost, begin + at)) {
                    history.batch(at, 1, cost);
                    running.add(new long[] {cost, at});
                }
                if (!running.isEmpty() && random.nextInt(3) > 0) {
                    long[] ended = running.remove(random.nextInt(running.size()));
                    long actual = random.nextInt(3) > 0 ? ended[0] : random.nextInt(12);
                    if (actual != ended[0]) {
                        gate.settle(ended[0], actual, begin + ended[1], begin + at);
                        history.settle(at, actual - ended[0], ended[1]);
                    }
                    gate.release(actual);
                }
            }
            assertThat(history.verification().limits())
                    .as("seed %d", seed)
                    .isNotEmpty()
                    .allSatisfy(
                            certificate -> assertThat(certificate.examples()).isEmpty());
        }
    }
}
