package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rate kept as one instant against a bucket that can be checked by hand, over very many made-up sequences. */
class RateLawTest {
    private static final int SEQUENCES = 120_000;
    private static final int STEPS = 24;

    /**
     * A bucket in whole numbers: one unit is {@code per} parts, a microsecond brings {@code count} parts, and no more than
     * {@code burst} units fit. Its clock never runs backwards.
     */
    private static final class NaiveBucket {
        private final Rate rate;
        private final long per;
        private long level;
        private long seen;

        NaiveBucket(Rate rate, long now) {
            this.rate = rate;
            this.per = Micros.of(rate.per());
            this.level = rate.burst() * per;
            this.seen = now;
        }

        /** The level as it would be then; only a start moves the clock. */
        private long levelAt(long now) {
            long elapsed = Math.max(0, now - seen);
            return Math.min(rate.burst() * per, level + elapsed * rate.count());
        }

        boolean mayStart(long units, long now) {
            return levelAt(now) >= units * per;
        }

        void start(long units, long now) {
            level = levelAt(now) - units * per;
            seen = Math.max(seen, now);
        }

        long tokens(long now) {
            return levelAt(now) / per;
        }

        /** The first microsecond at which it may start. */
        long opens(long units, long now) {
            long missing = units * per - levelAt(now);
            return Math.max(now, seen) + Math.ceilDiv(missing, rate.count());
        }
    }

    private static Rate madeUp(Random random) {
        long count = 1L + random.nextInt(20);
        long per = 1L + random.nextInt(random.nextBoolean() ? 40 : 3_000_000);
        long burst = 1L + random.nextInt(6);
        return new Rate(count, Micros.duration(per), burst, random.nextBoolean());
    }

    private static long step(Random random, long span) {
        return switch (random.nextInt(6)) {
            case 0, 1 -> 0;
            case 2 -> 1;
            case 3 -> -random.nextLong(span + 1);
            default -> random.nextLong(span + 1);
        };
    }

    @Test
    void everyAnswerIsThatOfTheNaiveBucket() {
        Random random = new Random(20260101);
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            Rate rate = madeUp(random);
            long span = 1 + 2 * Micros.of(rate.per()) / rate.count();
            long now = 1_000_000_000_000L;
            GateLedger gate = new GateLedger(GateKey.gate("a"), GatePolicy.of(rate), GateState.NEW);
            NaiveBucket naive = new NaiveBucket(rate, 0);
            for (int i = 0; i < STEPS; i++) {
                now += step(random, span);
                long cost = random.nextLong(rate.burst() + 1);
                compare(gate, naive, rate, now, cost);
            }
        }
    }

    private static void compare(GateLedger gate, NaiveBucket naive, Rate rate, long now, long cost) {
        long units = rate.isByCost() ? cost : 1;
        boolean expected = units == 0 || naive.mayStart(units, now);
        Decision decision = gate.checkLimits(waiter("l", 1, cost), now);
        if (expected != decision instanceof Decision.Admitted) {
            throw new AssertionError(
                    "%s at %d, cost %d: expected %s, got %s".formatted(rate, now, cost, expected, decision));
        }
        if (gate.figures(now).tokens(rate) != naive.tokens(now)) {
            throw new AssertionError("%s at %d: expected %d tokens, got %d"
                    .formatted(rate, now, naive.tokens(now), gate.figures(now).tokens(rate)));
        }
        if (expected) {
            gate.take(waiter("l", 1, cost), now);
            naive.start(units, now);
        } else if (Micros.of(((Decision.Blocked) decision).next()) != naive.opens(units, now)) {
            throw new AssertionError(
                    "%s at %d: expected to open at %d, got %s".formatted(rate, now, naive.opens(units, now), decision));
        }
    }

    @Test
    void noIntervalEverHoldsMoreThanBurstAndRateAllow() {
        Random random = new Random(42);
        for (int sequence = 0; sequence < 2_000; sequence++) {
            Rate rate = madeUp(random);
            GateLedger gate = new GateLedger(GateKey.gate("a"), GatePolicy.of(rate), GateState.NEW);
            List<long[]> starts = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 60; i++) {
                now += step(random, 1 + Micros.of(rate.per()) / rate.count());
                long cost = 1 + random.nextLong(rate.burst());
                if (gate.checkLimits(waiter("l", 1, cost), now) instanceof Decision.Admitted) {
                    gate.take(waiter("l", 1, cost), now);
                    long at = starts.isEmpty() ? now : Math.max(now, starts.getLast()[0]);
                    starts.add(new long[] {at, rate.isByCost() ? cost : 1});
                    checkIntervals(rate, starts);
                }
            }
        }
    }

    private static void checkIntervals(Rate rate, List<long[]> starts) {
        long per = Micros.of(rate.per());
        long units = 0;
        for (long[] start : starts.reversed()) {
            units += start[1];
            long length = starts.getLast()[0] - start[0];
            assertThat(units * per).isLessThanOrEqualTo(rate.burst() * per + rate.count() * length);
        }
    }

    @Test
    void aChangedPolicyNeverGivesMoreThanTheNewOneAllowsFromThenOn() {
        Random random = new Random(7);
        for (int sequence = 0; sequence < 20_000; sequence++) {
            Duration per = Micros.duration(1L + random.nextInt(2_000_000));
            GateState state = GateState.NEW;
            long now = 0;
            for (int change = 0; change < 4; change++) {
                Rate rate = new Rate(1L + random.nextInt(20), per, 1 + random.nextInt(6), false);
                GateLedger gate = new GateLedger(GateKey.gate("a"), GatePolicy.of(rate), state);
                List<long[]> starts = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    now += Math.max(0, step(random, 1 + Micros.of(per) / rate.count()));
                    if (gate.checkLimits(waiter("l", 1), now) instanceof Decision.Admitted) {
                        gate.take(waiter("l", 1), now);
                        starts.add(new long[] {now, 1});
                        checkIntervals(rate, starts);
                    }
                }
                state = gate.state();
            }
        }
    }
}
