package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The limit as the other side counts it: calls are made anywhere between a grant and its latest moment, as badly as can be
 * and in any order, and are counted by a provider that shares nothing with a gate but the figures of its limit.
 */
class CallersViewLawTest {
    private static final long SEED = Long.getLong("headgate.seed", 20261116L);
    private static final int SEQUENCES = 4_000;
    private static final int STEPS = 150;

    /** The turn of a year, month, day and hour. */
    private static final long TURN_OF_THE_YEAR = 1_767_225_600_000_000L;

    enum Kind {
        WINDOW,
        RATE,
        SPACED,
        QUOTA
    }

    private record Running(long job, Start start, long charged) {}

    private record Call(long at, long units) {}

    private static final class Trial {
        private final Random random;
        private final Limit limit;
        private final boolean isByCost;
        private final boolean isOpen;
        private final List<Running> running = new ArrayList<>();
        private final List<Call> calls = new ArrayList<>();
        private GateLedger gate;
        private long now;
        private long jobs;

        Trial(Kind kind, Random random) {
            this.random = random;
            this.limit = madeUp(kind, random);
            this.isByCost = limit.key().endsWith("c");
            this.isOpen = limit.marginMicros() == Margin.OPEN;
            this.gate = new GateLedger(GateKey.gate("a"), GatePolicy.of(limit), GateState.NEW);
            long period = kind == Kind.QUOTA ? 8 * Micros.PER_SECOND : per(limit);
            this.now = TURN_OF_THE_YEAR - random.nextLong(1 + 4 * period);
            long step = Math.max(2, period / 8);
            for (int i = 0; i < STEPS; i++) {
                now += random.nextInt(3) == 0 ? 0 : random.nextLong(step);
                act();
            }
            running.forEach(each -> call(each, each.charged, latest(each, now)));
        }

        private void act() {
            switch (random.nextInt(10)) {
                case 0 -> reopen();
                case 1 -> giveUp();
                case 2, 3 -> end(false);
                case 4 -> end(true);
                default -> ask();
            }
        }

        private void ask() {
            long cost = random.nextInt(4) == 0 ? random.nextInt(5) : 1;
            long opens = gate.opens(cost, now);
            if (opens > now && opens < GateLedger.UNTIL_RELEASE && random.nextInt(3) == 0) {
                now = opens; // at the very first moment
                opens = gate.opens(cost, now);
            }
            if (opens <= now) {
                long margin = ofSeveral(gate.margin(cost, now));
                Start start = new Start(gate.clock(now), margin);
                gate.take(new Waiter("l", 1, cost, ++jobs, ""), false, margin, now);
                running.add(new Running(jobs, start, cost));
            }
        }

        /** What the gate would give, or what others make of it: one cuts it, or it gives way to a longer one. */
        private long ofSeveral(long own) {
            return own < 2
                    ? own
                    : switch (random.nextInt(4)) {
                        case 0 -> 1 + random.nextLong(own);
                        case 1 -> own + random.nextLong(4 * own);
                        default -> own;
                    };
        }

        private Running any() {
            return running.remove(random.nextInt(running.size()));
        }

        /** It never reached its handler in time: no call. */
        private void giveUp() {
            if (!running.isEmpty()) {
                Running late = any();
                gate.giveUp(late.job, late.charged, late.start, now);
            }
        }

        private void end(boolean isSettling) {
            if (running.isEmpty()) {
                return;
            }
            Running done = any();
            boolean isLost = random.nextInt(6) == 0;
            long actual = isSettling && isByCost && !isLost ? random.nextLong(done.charged + 1) : done.charged;
            if (actual != done.charged) {
                gate.settle(done.charged, actual, done.start, now);
            }
            call(done, actual, latest(done, isLost ? now + 400_000 : gate.clock(now)));
            gate.release(done.job, actual, isLost ? ReleaseKind.LOST : ReleaseKind.OK, done.start, now);
        }

        /** The last moment at which its call may have been made, by what was promised. */
        private long latest(Running job, long ended) {
            if (limit.marginMicros() == 0) {
                return job.start.at();
            }
            return isOpen
                    ? Math.max(job.start.at(), ended)
                    : Math.min(job.start.latest(), Math.max(ended, job.start.at()));
        }

        private void call(Running job, long units, long latest) {
            long room = latest - job.start.at();
            long lag =
                    switch (random.nextInt(3)) {
                        case 0 -> 0;
                        case 1 -> room;
                        default -> random.nextLong(room + 1);
                    };
            calls.add(new Call(job.start.at() + lag, isByCost ? units : 1));
        }

        private void reopen() {
            GateState state = gate.state();
            GateState.Stored stored = new GateState.Stored(state.leases(), state.units(), state.memory());
            gate = GateLedger.restore(gate.key(), gate.policy(), stored, now);
            assertThat(gate.isTouched()).isFalse();
        }

        void judge() {
            calls.sort(Comparator.comparingLong(Call::at));
            switch (limit) {
                case Window window -> judge(window);
                case Rate rate -> judge(rate);
                case Spaced spaced -> judge(spaced);
                case Quota quota -> judge(quota, random.nextLong(2 * QuotaMeter.SKEW) - QuotaMeter.SKEW);
                default -> throw new IllegalStateException(limit.text());
            }
        }

        private void judge(Window window) {
            long per = Micros.of(window.per());
            for (int i = 0; i < calls.size(); i++) {
                long sum = 0;
                for (int j = i; j < calls.size() && calls.get(j).at < calls.get(i).at + per; j++) {
                    sum += calls.get(j).units;
                }
                expect(sum <= window.count(), sum, i);
            }
        }

        private void judge(Rate rate) {
            long per = Micros.of(rate.per());
            long parts = 0;
            long from = 0;
            for (int i = 0; i < calls.size(); i++) {
                Call call = calls.get(i);
                parts = Math.max(0, parts - (call.at - from) * rate.count()) + call.units * per;
                from = call.at;
                expect(parts <= rate.burst() * per, parts, i);
            }
        }

        private void judge(Spaced spaced) {
            long per = Micros.of(spaced.per());
            long free = 0;
            for (int i = 0; i < calls.size(); i++) {
                Call call = calls.get(i);
                expect(call.units == 0 || call.at >= free, free, i);
                free = call.units == 0 ? free : call.at + Math.ceilDiv(call.units * per, spaced.count());
            }
        }

        /** By its own clock, which is a little off; without a margin its clock is taken to be right. */
        private void judge(Quota quota, long off) {
            Map<LocalDateTime, Long> spent = new HashMap<>();
            for (int i = 0; i < calls.size(); i++) {
                long at = calls.get(i).at + (quota.marginMicros() == 0 ? 0 : off);
                LocalDateTime hour = LocalDateTime.ofInstant(Micros.instant(at), ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.HOURS);
                long sum = spent.merge(hour, calls.get(i).units, Long::sum);
                expect(sum <= quota.count(), sum, i);
            }
        }

        private void expect(boolean holds, long got, int index) {
            if (!holds) {
                throw new AssertionError("-Dheadgate.seed=%d: %s: refused at call %d of %d (%d): %s"
                        .formatted(SEED, limit.text(), index, calls.size(), got, calls));
            }
        }
    }

    private static long per(Limit limit) {
        return switch (limit) {
            case Window window -> Micros.of(window.per());
            case Rate rate -> Micros.of(rate.per());
            case Spaced spaced -> Micros.of(spaced.per());
            default -> 3_600 * Micros.PER_SECOND;
        };
    }

    private static Limit madeUp(Kind kind, Random random) {
        long count = 1L + random.nextInt(8);
        Duration per = Micros.duration(8 + random.nextInt(random.nextBoolean() ? 400 : 3_000_000));
        boolean isByCost = random.nextBoolean();
        Limit limit =
                switch (kind) {
                    case WINDOW -> new Window(count + (isByCost ? 4 : 0), per, isByCost);
                    case RATE -> new Rate(count, per, 1 + random.nextInt(8) + (isByCost ? 4 : 0), isByCost);
                    case SPACED -> new Spaced(count, per, isByCost);
                    case QUOTA -> new Quota(count + 4, Quota.Period.HOUR, ZoneOffset.UTC, isByCost);
                };
        return switch (random.nextInt(4)) {
            case 0 -> limit.margin(Margin.NONE);
            case 1 -> limit.margin(Margin.END);
            case 2 ->
                limit.margin(Margin.of(
                        Micros.duration(2 + random.nextLong(kind == Kind.QUOTA ? 3_000_000 : Micros.of(per) - 2))));
            default -> limit;
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void noCallIsEverRefused(Kind kind) {
        Random random = new Random(SEED);
        long calls = 0;
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            Trial trial = new Trial(kind, random);
            trial.judge();
            calls += trial.calls.size();
        }
        assertThat(calls).as("calls that were judged").isGreaterThan(SEQUENCES * 4L);
    }
}
