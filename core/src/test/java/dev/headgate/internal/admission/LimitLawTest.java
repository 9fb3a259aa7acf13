package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Every kind of limit, alone and together, against its naive model over a million made-up steps: starts, ends, settlements,
 * holds, changed counts, reopened stores, and a clock that jumps and steps back. Never over, never later than the model
 * (but for a crowded window's 128th), and the instant that is named is exact.
 */
class LimitLawTest {
    private static final long SEED = Long.getLong("headgate.seed", 20260301L);
    private static final int STEPS = 1_000_000;
    private static final int STEPS_PER_GATE = 250;

    private static final List<Quota.Period> PERIODS = List.of(Quota.Period.values());
    /** The turn of a year, month, day and hour. */
    private static final long TURN_OF_THE_YEAR = 1_767_225_600_000_000L;

    private record Running(long job, Start start, long charged) {}

    private final Random random = new Random(SEED);
    private long stepsLeft;

    private final class Trial {
        private List<Limit> limits = madeUpLimits();
        private final List<Naive> models = limits.stream().map(Naive::of).toList();
        private final List<Running> running = new ArrayList<>();
        private GateLedger gate = new GateLedger(GateKey.gate("a"), new GatePolicy(limits), GateState.NEW);
        private long now = TURN_OF_THE_YEAR - random.nextInt(20_000);
        private long seen;
        private long heldUntil;
        private long jobs;

        private long clock() {
            return Math.max(now, seen);
        }

        void step() {
            now += timeStep();
            switch (random.nextInt(16)) {
                case 0 -> change();
                case 1 -> reopen();
                case 2 -> hold();
                case 3, 4 -> settle();
                case 5 -> release();
                case 6 -> giveUp();
                default -> ask(random.nextInt(8) == 0 ? random.nextInt(40) : random.nextInt(5));
            }
        }

        private void ask(long cost) {
            long earliest = Math.max(clock(), heldUntil);
            long latest = earliest;
            for (Naive model : models) {
                long units = model.unitsOf(cost);
                if (units > model.most()) {
                    expect(gate.opens(cost, now) == GateLedger.NEVER, cost, GateLedger.NEVER);
                    return;
                }
                if (units > 0) {
                    earliest = Math.max(earliest, model.earliest(clock(), units));
                    latest = Math.max(latest, model.latest(clock(), units));
                }
            }
            long opens = gate.opens(cost, now);
            if (opens <= now) {
                expect(earliest <= clock(), cost, earliest);
                start(cost);
            } else {
                expect(opens >= earliest && opens <= latest, cost, earliest);
                expect(gate.opens(cost, opens - 1) > opens - 1, cost, earliest);
                expect(gate.opens(cost, opens) == opens, cost, earliest);
                Decision said = gate.checkLimits(new Waiter("l", 1, cost), now);
                expect(Micros.of(((Decision.Blocked) said).next()) == opens, cost, earliest);
                if (random.nextInt(3) == 0) {
                    now = opens;
                    ask(cost);
                }
            }
        }

        private void start(long cost) {
            seen = clock();
            long own = gate.margin();
            Start start = new Start(seen, own > 1 && random.nextInt(4) == 0 ? 1 + random.nextLong(own) : own);
            gate.take(new Waiter("l", 1, cost, ++jobs, ""), false, start.margin(), now);
            models.forEach(model -> model.take(start, cost));
            running.add(new Running(jobs, start, cost));
        }

        private void settle() {
            if (running.isEmpty()) {
                return;
            }
            Running job = running.remove(random.nextInt(running.size()));
            long actual = random.nextInt(2) == 0 ? random.nextLong(job.charged + 1) : random.nextInt(9);
            gate.settle(job.charged, actual, job.start, now);
            if (actual != job.charged) {
                seen = clock();
                models.forEach(model -> model.settle(job.charged, actual, job.start, seen));
            }
            end(job, actual);
        }

        private void end(Running job, long cost) {
            seen = clock();
            gate.release(job.job, cost, ReleaseKind.OK, job.start, now);
            models.forEach(model -> model.ended(job.start, cost, seen));
        }

        private void giveUp() {
            if (!running.isEmpty()) {
                Running job = running.remove(random.nextInt(running.size()));
                seen = clock();
                gate.giveUp(job.job, job.charged, job.start, now);
                models.forEach(model -> model.giveUp(job.start, job.charged, seen));
            }
        }

        private void release() {
            if (!running.isEmpty()) {
                Running job = running.remove(random.nextInt(running.size()));
                end(job, job.charged);
            }
        }

        private void hold() {
            long until = now + random.nextInt(4) * 50L;
            if (gate.hold(until, false, "held", now)) {
                heldUntil = Math.max(heldUntil, until);
            }
        }

        private void change() {
            do {
                limits = limits.stream().map(LimitLawTest.this::changedCount).toList();
            } while (!areDifferent(limits));
            for (int i = 0; i < limits.size(); i++) {
                models.get(i).changed(limits.get(i), seen);
            }
            reopen();
        }

        private void reopen() {
            GateState state = gate.state();
            expect(state.leases() == running.size(), 0, 0);
            GateState.Stored stored = new GateState.Stored(state.leases(), state.units(), state.memory());
            gate = GateLedger.restore(gate.key(), new GatePolicy(limits), stored, now);
            expect(!gate.isTouched(), 0, 0);
        }

        private void expect(boolean holds, long cost, long earliest) {
            if (!holds) {
                throw new AssertionError(
                        "-Dheadgate.seed=%d, %d steps before the end: %s at %d, cost %d: expected %d, got %d; memory %s"
                                .formatted(
                                        SEED,
                                        stepsLeft,
                                        Limit.textOf(limits),
                                        now,
                                        cost,
                                        earliest,
                                        gate.opens(cost, now),
                                        gate.state().memory()));
            }
        }
    }

    private long timeStep() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> 0;
            case 3 -> 1;
            case 4 -> -random.nextInt(300);
            case 5 -> random.nextInt(1_000);
            default -> random.nextInt(40);
        };
    }

    private List<Limit> madeUpLimits() {
        List<Limit> limits = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            limits.add(madeUp(1)); // several distances: mostly of one unit
        }
        int kinds = 1 + random.nextInt(15);
        for (int kind = 0; kind < 4; kind++) {
            if ((kinds & (1 << kind)) != 0) {
                limits.add(madeUp(kind));
            }
        }
        return areDifferent(limits) ? limits : madeUpLimits();
    }

    private static boolean areDifferent(List<Limit> limits) {
        return limits.stream().distinct().count() == limits.size();
    }

    private Limit madeUp(int kind) {
        long count = 1L + random.nextInt(random.nextInt(4) == 0 ? 300 : 20);
        Duration per = Micros.duration(1 + random.nextInt(random.nextBoolean() ? 400 : 4_000));
        boolean isByCost = random.nextBoolean();
        return switch (kind) {
            case 0 -> new Window(count, per, isByCost).margin(madeUpMargin(per));
            case 1 -> new Spaced(count, per, isByCost);
            case 2 -> new Rate(count, per, 1 + random.nextInt(8), isByCost).margin(madeUpMargin(per));
            default -> new Quota(count, PERIODS.get(random.nextInt(3)), ZoneOffset.UTC, isByCost).margin(Margin.NONE);
        };
    }

    private Margin madeUpMargin(Duration per) {
        long longest = Micros.of(per) - 1;
        int kind = random.nextInt(3);
        if (kind == 0) {
            return Margin.NONE;
        }
        return kind == 1 || longest < 3 ? Margin.AUTO : Margin.of(Micros.duration(2 + random.nextLong(longest - 2)));
    }

    private Limit changedCount(Limit limit) {
        long count = 1L + random.nextInt(20);
        return switch (limit) {
            case Window window -> new Window(count, window.per(), window.isByCost(), window.margin());
            case Spaced spaced -> new Spaced(count, spaced.per(), spaced.isByCost());
            case Rate rate -> new Rate(count, rate.per(), rate.burst(), rate.isByCost(), rate.margin());
            case Quota quota -> new Quota(count, quota.period(), quota.zone(), quota.isByCost()).margin(Margin.NONE);
            default -> limit;
        };
    }

    @Test
    void everyAnswerIsThatOfTheNaiveModels() {
        System.out.println("limit laws: -Dheadgate.seed=" + SEED);
        Trial trial = new Trial();
        for (stepsLeft = STEPS; stepsLeft > 0; stepsLeft--) {
            if (stepsLeft % STEPS_PER_GATE == 0) {
                trial = new Trial();
            }
            trial.step();
        }
        assertThat(trial.gate.state().memory()).isNotEmpty();
    }

    /** A window so busy that it must be compacted: never over, at most a 128th strict, bounded, and well used. */
    @Test
    void aCrowdedWindowIsNeverOverAndAtMostALittleStrict() {
        long admitted = 0;
        long possible = 0;
        for (int round = 0; round < 40; round++) {
            long per = 20_000L + random.nextInt(2_000_000);
            Window window = new Window(150 + random.nextInt(1_500), Micros.duration(per), false);
            GateLedger gate = new GateLedger(GateKey.gate("a"), GatePolicy.of(window), GateState.NEW);
            Naive naive = Naive.of(window);
            Naive alone = Naive.of(window);
            long now = 1_000_000_000L;
            for (int i = 0; i < 6_000; i++) {
                now += random.nextLong(Math.max(2, per / window.count()));
                boolean isAllowed = naive.earliest(now, 1) <= now;
                long opens = gate.opens(1, now);
                assertThat(opens).isBetween(naive.earliest(now, 1), naive.latest(now, 1));
                if (opens <= now) {
                    assertThat(isAllowed).isTrue();
                    gate.take(new Waiter("l", 1, 1), now);
                    naive.take(now, 1);
                    admitted++;
                }
                if (alone.earliest(now, 1) <= now) {
                    alone.take(now, 1);
                    possible++;
                }
            }
            assertThat(gate.state().memory().length()).isLessThan(2_500);
        }
        assertThat(admitted * 100).isGreaterThanOrEqualTo(possible * 99);
    }
}
