package dev.headgate.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockTest {
    private final Stock stock = new Stock();

    private static Reading heap(long live) {
        return new Reading(100, 100, live, true);
    }

    @Test
    void whatIsPromisedCountsBeforeItIsSeen() {
        stock.see(heap(10));
        stock.reserve(40);
        stock.reserve(40);
        assertThat(stock.free()).isEqualTo(10);
    }

    @Test
    void whatIsSeenCountsWhereItIsMoreThanPromised() {
        stock.see(heap(10));
        stock.reserve(10);
        stock.see(heap(70));
        assertThat(stock.free()).isEqualTo(30);
    }

    @Test
    void aReadingThatLagsIsRelievedOfWhatHasEndedSince() {
        stock.see(heap(10));
        stock.reserve(40);
        stock.reserve(40);
        stock.see(heap(90));
        stock.release(40);
        assertThat(stock.free()).isEqualTo(50);
        stock.see(heap(90));
        assertThat(stock.free()).as("the same reading again tells nothing new").isEqualTo(50);
    }

    /** Otherwise an idle worker, whose heap is not collected, would wait for ever for memory that is free. */
    @Test
    void anIdleWorkerBelievesItsBaselineUntilItKnowsBetter() {
        stock.see(heap(10));
        stock.reserve(10);
        stock.see(heap(95)); // it took much more than it had said
        stock.release(10);
        assertThat(stock.free()).isEqualTo(90);
        stock.see(heap(60)); // and left much behind
        assertThat(stock.free()).isEqualTo(40);
    }

    @Test
    void anExactReadingIsBelievedAtOnce() {
        stock.see(Reading.exact(4, 1));
        stock.reserve(2);
        assertThat(stock.free()).isEqualTo(1);
        stock.release(2);
        stock.see(Reading.exact(4, 4));
        assertThat(stock.free()).isZero();
    }

    @Test
    void nothingIsKnownOfABrokenGaugeSoThereIsNoRoom() {
        stock.see(Reading.exact(4, 0));
        stock.lose();
        assertThat(stock.free()).isLessThanOrEqualTo(0);
        stock.see(Reading.exact(4, 0));
        assertThat(stock.free()).isEqualTo(4);
    }

    @Test
    void moreThanWasPromisedCannotBeGivenBack() {
        stock.reserve(3);
        assertThatThrownBy(() -> stock.release(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("release of 4: expected at most the 3");
    }

    @Test
    void whatOneWorkerPromisesAnotherOfTheSameProcessHasNotLeft() {
        StockShare one = new StockShare(stock, all -> all / 8, Long.MAX_VALUE);
        StockShare other = new StockShare(stock, all -> 5, 50);
        stock.see(new Reading(160, 80, 10, true));
        assertThat(one.free()).isEqualTo(60);
        assertThat(other.free()).as("capped").isEqualTo(50);
        one.reserve(40);
        assertThat(one.free()).isEqualTo(20);
        assertThat(other.free()).isEqualTo(25);
        assertThat(other.promised()).isZero();
        other.reserve(20);
        assertThat(one.free()).isZero();
        one.release(40);
        assertThat(other.free()).as("less what it has promised itself").isEqualTo(30);
        assertThat(one.most()).isEqualTo(140);
        assertThat(other.most()).isEqualTo(50);
    }

    /** A worker that starts only what is free never promises more than there is above what was there before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void promisesNeverExceedTheCeiling(long seed) {
        Random random = new Random(seed);
        List<Long> held = new ArrayList<>();
        long live = 10;
        stock.see(heap(live));
        for (int step = 0; step < 5_000; step++) {
            long amount = 1L + random.nextInt(30);
            if (random.nextInt(3) == 0 && !held.isEmpty()) {
                stock.release(held.remove(random.nextInt(held.size())));
            } else if (amount <= stock.free()) {
                stock.reserve(amount);
                held.add(amount);
            }
            if (random.nextInt(10) == 0) {
                // What they really have by now: anything up to what they were promised.
                long taken = held.stream()
                        .mapToLong(most -> random.nextLong(most + 1))
                        .sum();
                stock.see(heap(10 + taken));
            }
            long promised = held.stream().mapToLong(Long::longValue).sum();
            assertThat(stock.promised()).isEqualTo(promised);
            assertThat(10 + promised).as("step %d", step).isLessThanOrEqualTo(100);
            assertThat(stock.free()).isLessThanOrEqualTo(100 - promised);
        }
        held.forEach(stock::release);
        assertThat(stock.free()).as("nothing leaks").isGreaterThanOrEqualTo(90 - 30);
    }
}
