package dev.headgate.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.resource.PoolBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large a pool becomes, in virtual time. */
class PoolRuleTest {
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final List<Integer> sizes = new ArrayList<>();
    private PoolBounds bounds = PoolBounds.between(2, 64);
    private PoolState pool = PoolState.first(bounds, 0);
    private long now;

    private void between(int min, int max) {
        bounds = PoolBounds.between(min, max);
        pool = PoolState.first(bounds, now);
    }

    /** Starts with so many. */
    private void sized(int size) {
        pool = new PoolState(size, "given", now - EVERY.toNanos(), List.of());
    }

    private int look(int busy, int backlog, boolean isMemoryShort) {
        now += EVERY.toNanos();
        pool = PoolRule.next(bounds, pool, new PoolSample(now, busy, backlog, isMemoryShort));
        sizes.add(pool.size());
        return pool.size();
    }

    private int look(int busy, int backlog) {
        return look(busy, backlog, false);
    }

    /** So many jobs are there for good: those that have a slot run, the others wait. */
    private int load(int jobs) {
        return look(Math.min(jobs, pool.size()), Math.max(0, jobs - pool.size()));
    }

    private void load(int jobs, Duration span) {
        for (long left = span.toNanos(); left > 0; left -= EVERY.toNanos()) {
            load(jobs);
        }
    }

    /** The table that pools of other systems are held to: floor 2, ceiling 6. */
    @ParameterizedTest
    @CsvSource({"2, 4, 4", "4, 0, 2", "2, 20, 6", "6, 0, 2", "5, 3, 3", "2, 1, 2"})
    void itFollowsTheBacklog(int size, int backlog, int expected) {
        between(2, 6);
        sized(size);
        load(backlog, bounds.idleGrace().multipliedBy(2));
        assertThat(pool.size()).isEqualTo(expected);
    }

    @Test
    void itStaysWhereItIsWithoutMemoryForMore() {
        between(2, 6);
        sized(3);
        assertThat(look(3, 8, true)).isEqualTo(3);
        assertThat(look(3, 8, false)).isEqualTo(5);
    }

    @Test
    void itKeepsItsSizeWithinTheIdleGrace() {
        between(2, 6);
        sized(5);
        load(5);
        load(0, bounds.idleGrace());
        assertThat(pool.size()).isEqualTo(5);
        load(0, EVERY.multipliedBy(3));
        assertThat(pool.size()).isEqualTo(2);
        assertThat(pool.reason()).isEqualTo("nothing to do; 2 were enough for 1m");
    }

    /** A paused queue, a closed gate and a job of tomorrow are no backlog, so nothing but the floor is left. */
    @Test
    void withNothingAdmissibleItStaysAtTheFloor() {
        load(0, Duration.ofHours(1));
        assertThat(sizes).containsOnly(2);
    }

    @ParameterizedTest
    @CsvSource({"2, 64, 64", "2, 64, 40", "1, 10, 10", "2, 6, 5", "1, 1000, 777", "10, 11, 11", "4, 100000, 100000"})
    void aStepOfLoadIsFollowedWithinThreeLooks(int min, int max, int needed) {
        between(min, max);
        load(min, Duration.ofMinutes(2));
        for (int interval = 0; interval < 3; interval++) {
            load(needed);
        }
        assertThat(pool.size()).isGreaterThanOrEqualTo(Math.ceilDiv(needed * 9, 10));
        load(needed, Duration.ofMinutes(10));
        assertThat(sizes).allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(needed));
        assertThat(pool.size()).isEqualTo(needed);
    }

    /**
     * Work arrives at a steady rate from one moment on. Rate times length of a job keeps up with it; what piled up meanwhile
     * is worked off with more, but never with more than there is to do, and then the pool comes back.
     */
    @Test
    void aStepOfTheRateIsCaughtUpWithAndThenSettles() {
        int arriving = 200; // in each interval
        int keepsUp = 40; // jobs of one second in intervals of five
        long waiting = 0;
        for (int interval = 1; interval <= 120; interval++) {
            waiting += arriving;
            long done = Math.min(waiting, pool.size() * EVERY.toSeconds());
            waiting -= done;
            int before = pool.size();
            int busy = (int) Math.min(before, Math.ceilDiv(done, EVERY.toSeconds()));
            look(busy, (int) Math.min(waiting, bounds.max()));
            assertThat(pool.size() - before).isLessThanOrEqualTo((int) Math.min(bounds.step(), waiting));
            if (interval == 3) {
                assertThat(pool.size()).isGreaterThanOrEqualTo(keepsUp * 9 / 10);
            }
        }
        assertThat(waiting).as("it has caught up").isZero();
        assertThat(pool.size()).isBetween(keepsUp, keepsUp + keepsUp / 4);
        assertThat(sizes.subList(60, 120)).containsOnly(pool.size());
    }

    @Test
    void tenMinutesOfNoiseDoNotMakeItFlap() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            int level = 10 + random.nextInt(40);
            sized(level);
            load(level, Duration.ofMinutes(2));
            sizes.clear();
            for (int interval = 0; interval < 120; interval++) {
                load(level * (75 + random.nextInt(51)) / 100);
            }
            assertThat(turns(sizes))
                    .as("seed %d, level %d: %s", seed, level, sizes)
                    .isZero();
        }
    }

    /** How often it changed its mind: grew after it had shrunk or shrank after it had grown. */
    private static int turns(List<Integer> sizes) {
        int turns = 0;
        int direction = 0;
        for (int i = 1; i < sizes.size(); i++) {
            int moved = Integer.signum(sizes.get(i) - sizes.get(i - 1));
            turns += moved != 0 && direction != 0 && moved != direction ? 1 : 0;
            direction = moved == 0 ? direction : moved;
        }
        return turns;
    }

    @Test
    void burstsThatComeBackWithinTheGraceFindThePoolReady() {
        load(60, EVERY.multipliedBy(3));
        for (int burst = 0; burst < 20; burst++) {
            load(0, EVERY.multipliedBy(10));
            assertThat(load(60)).isEqualTo(60);
        }
    }

    @Test
    void itShrinksInStepsToWhatWasNeededAtMost() {
        load(64, Duration.ofMinutes(1));
        load(10, bounds.idleGrace());
        sizes.clear();
        load(10, Duration.ofMinutes(1));
        assertThat(sizes.subList(0, 5)).containsExactly(64 - 21, 64 - 42, 10, 10, 10);
        assertThat(pool.reason()).isEqualTo("10 were enough for 1m");
    }

    @Test
    void aLittleLessIsNotWorthAChange() {
        load(40, Duration.ofMinutes(1));
        load(31, Duration.ofHours(1));
        assertThat(pool.size()).isEqualTo(40);
        load(29, Duration.ofHours(1));
        assertThat(pool.size()).isEqualTo(29);
    }

    @Test
    void itSaysWhyItGrew() {
        load(12);
        assertThat(pool.reason()).isEqualTo("2 at work and 10 more could start");
    }

    @Test
    void aLookBeforeTheCooldownChangesNothing() {
        load(64);
        int size = pool.size();
        now += 1;
        pool = PoolRule.next(bounds, pool, new PoolSample(now, size, 1000, false));
        assertThat(pool.size()).isEqualTo(size);
    }

    @Test
    void faultsAreNamed() {
        assertThat(PoolBounds.between(2, 64).faults("slots", 100)).isEmpty();
        assertThat(PoolBounds.between(7, 3).faults("slots", 100))
                .containsExactly("slots: expected the least to be no more than the most, got 7 to 3");
        assertThat(PoolBounds.fixed(0).faults("slots", 100)).containsExactly("slots: expected 1 to 100, got 0");
        assertThat(PoolBounds.between(0, 101).faults("processes", 100))
                .containsExactly("processes: expected 1 to 100, got 0", "processes: expected 1 to 100, got 101");
        assertThat(PoolBounds.between(1, 2)
                        .step(0)
                        .every(Duration.ZERO)
                        .idleGrace(Duration.ofDays(2))
                        .faults("slots", 9))
                .hasSize(3);
    }
}
