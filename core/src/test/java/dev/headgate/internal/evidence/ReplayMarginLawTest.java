package dev.headgate.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.Certificate;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view until the call against a model that looks at every start again each time, and against calls at any moment. */
class ReplayMarginLawTest {
    private static final int ROUNDS = 300;

    /** One start: granted at, spent at the latest, what is left of it. */
    private static final class Started {
        final long at;
        final long margin;
        long spent;
        long units;
        boolean isOut = true;

        Started(long at, long margin, long units) {
            this.at = at;
            this.margin = margin;
            this.spent = at + margin;
            this.units = units;
        }
    }

    private static final class World {
        final List<Started> all = new ArrayList<>();
        final History history;
        final Random random;
        long at;

        World(String limit, long seed) {
            history = History.under(limit);
            random = new Random(seed);
        }

        /** Something happens to one of the starts that have not come back. */
        void happen() {
            List<Started> out = all.stream().filter(start -> start.isOut).toList();
            if (out.isEmpty()) {
                return;
            }
            Started start = out.get(random.nextInt(out.size()));
            history.margin(start.margin);
            switch (random.nextInt(4)) {
                case 0 -> {
                    history.late(at, 1, start.units, start.at);
                    start.units = 0;
                    start.isOut = false;
                }
                case 1 -> {
                    long back = random.nextInt((int) start.units + 1);
                    history.settle(at, -back, start.at);
                    start.units -= back;
                }
                default -> {
                    history.back(at, 1, start.units, start.at);
                    start.spent = Math.min(start.spent, at);
                    start.isOut = false;
                }
            }
        }

        Started start(long margin) {
            at += all.isEmpty() || all.getLast().at < at ? 0 : 1; // each instant names one start
            Started start = new Started(at, margin, 1L + random.nextInt(3));
            history.margin(margin).batch(at, 1, start.units);
            all.add(start);
            return start;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "window 9/17us by-cost margin 6us",
                "window 6/40us by-cost margin 9us",
                "rate 3/10us burst 6 by-cost margin 6us",
                "rate 1/7us burst 9 by-cost margin 6us"
            })
    void theViewUntilTheCallIsThatOfAModelThatLooksAtEveryStartAgain(String text) {
        Limit limit = Limit.parse(text);
        for (int seed = 0; seed < ROUNDS; seed++) {
            World world = new World(text, seed);
            long expected = 0;
            for (int i = 0; i < 90; i++) {
                world.at += world.random.nextInt(7);
                if (world.random.nextInt(2) == 0) {
                    world.happen();
                } else {
                    Started asking = world.start(world.random.nextInt(3) == 0 ? 3 : limit.marginMicros());
                    expected += isBroken(limit, world.all, asking) ? 1 : 0;
                }
            }
            Certificate certificate = world.history.certificate();
            assertThat(Objects.requireNonNull(certificate.untilCall()).violations())
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    /** Some interval up to the grant that is asked for can hold too many calls, whatever their moments. */
    private static boolean isBroken(Limit limit, List<Started> all, Started asking) {
        long now = asking.at;
        if (limit instanceof Window window) {
            long sum = 0;
            for (Started start : all) {
                sum += start == asking || start.spent > now - Micros.of(window.per()) ? start.units : 0;
            }
            return sum > window.count();
        }
        Rate rate = (Rate) limit;
        boolean isBroken = false;
        for (Started first : all) {
            long from = Math.min(first.spent, now);
            long sum = 0;
            for (Started start : all) {
                sum += start.spent >= from ? start.units : 0;
            }
            isBroken |= (sum - rate.burst()) * Micros.of(rate.per()) > (now - from) * rate.count();
        }
        return isBroken;
    }

    /** If nothing is found, calls at any moment between grant and return keep the limit, in whatever order they arrive. */
    @ParameterizedTest
    @ValueSource(strings = {"window 4/20us margin 6us", "rate 3/20us burst 4 margin 6us", "delay 9us margin 4us"})
    void callsAtAnyMomentKeepALimitThatIsFoundKept(String text) {
        Limit limit = Limit.parse(text);
        int good = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            World world = new World(text, seed);
            for (int i = 0; i < 12; i++) {
                world.at += world.random.nextInt(text.startsWith("delay") ? 30 : 12);
                if (world.random.nextInt(2) == 0 && !world.all.isEmpty()) {
                    Started back = world.all.get(world.random.nextInt(world.all.size()));
                    if (back.isOut) {
                        back.isOut = false;
                        back.spent = Math.min(back.spent, world.at);
                        world.history.margin(back.margin).back(world.at, 1, back.units, back.at);
                    }
                } else {
                    world.start(limit.marginMicros());
                }
            }
            if (world.history.verification().isGood()) {
                good++;
                for (int tries = 0; tries < 20; tries++) {
                    long[] calls = world.all.stream()
                            .mapToLong(start -> start.at + world.random.nextInt((int) (start.spent - start.at) + 1))
                            .sorted()
                            .toArray();
                    assertThat(isKept(limit, calls)).as("seed %d", seed).isTrue();
                }
            }
        }
        assertThat(good).as("histories without a violation").isGreaterThan(20);
    }

    private static boolean isKept(Limit limit, long[] calls) {
        boolean isKept = true;
        for (int first = 0; first < calls.length; first++) {
            for (int last = first; last < calls.length; last++) {
                long span = calls[last] - calls[first];
                long many = last - first + 1L;
                isKept &= switch (limit) {
                    case Window window -> span >= Micros.of(window.per()) || many <= window.count();
                    case Rate rate -> (many - rate.burst()) * Micros.of(rate.per()) <= span * rate.count();
                    default -> many == 1 || span >= 9;
                };
            }
        }
        return isKept;
    }
}
