package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobSpec.Order;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankTest {
    private static long rank(int priority, boolean isFront, long number) {
        return new Order(priority, isFront, false).rank(number);
    }

    @Test
    void higherPriorityThenFrontThenOrder() {
        long[] inOrder = {
            rank(1000, true, 9),
            rank(1000, false, 1),
            rank(1, true, 4),
            rank(1, true, 3),
            rank(1, false, 9),
            rank(0, true, 2),
            rank(0, false, 1),
            rank(0, false, 2),
            rank(-1, true, 9),
            rank(-1000, false, 1)
        };
        assertThat(inOrder).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void priorityDecidesInABacklogOfAMillion() {
        long newest = 5_000_000_000L;
        long oldest = newest - 1_000_000;
        assertThat(rank(1, false, newest)).isLessThan(rank(0, false, oldest));
        assertThat(rank(0, false, newest)).isLessThan(rank(-1, false, oldest));
    }

    @Test
    void nothingStarves() {
        long waiting = 77;
        for (int[] pair : new int[][] {{-1000, 1000}, {-1000, 0}, {-1, 0}, {0, 1}, {999, 1000}}) {
            long overtaking = (pair[1] - pair[0]) * 1_048_576L;
            long last = waiting + overtaking;
            assertThat(rank(pair[1], false, last - 1)).isLessThan(rank(pair[0], false, waiting));
            assertThat(rank(pair[1], false, last + 1)).isGreaterThan(rank(pair[0], false, waiting));
        }
    }

    @Test
    void anUnurgentJobStartsThoughUrgentOnesNeverStopComing() {
        PriorityQueue<Long> queue = new PriorityQueue<>(List.of(rank(-1000, false, 1)));
        long starts = 0;
        // Two urgent jobs come for each that starts; numbers rise by a million each time, as in a busy store.
        for (long id = 1_000_000; queue.peek() != rank(-1000, false, 1) || starts == 0; id += 2_000_000) {
            queue.add(rank(1000, false, id));
            queue.add(rank(1000, false, id + 1_000_000));
            queue.remove();
            starts++;
            assertThat(starts).isLessThan(10_000);
        }
        assertThat(starts).isGreaterThan(1_000);
    }

    @Test
    void theFrontGoesBeforeManyOfItsPriorityAndBehindTheNextOne() {
        for (long id : new long[] {Order.FRONT_BLOCK, 2 * Order.FRONT_BLOCK - 1, 9_876_543_210L}) {
            assertThat(rank(0, true, id)).isLessThan(rank(0, false, Math.max(1, id - Order.FRONT_BLOCK)));
            assertThat(rank(0, true, id)).isGreaterThan(rank(1, false, id));
        }
    }

    @Test
    void theNumberOfARankIsFound() {
        for (int priority : new int[] {-1000, -1, 0, 1, 1000}) {
            for (long number :
                    new long[] {1, 2, Order.FRONT_BLOCK - 1, Order.FRONT_BLOCK, Order.FRONT_BLOCK + 1, 9_876_543_210L
                    }) {
                assertThat(new Order(priority, true, false).number(rank(priority, true, number)))
                        .isEqualTo(number);
                assertThat(new Order(priority, false, false).number(rank(priority, false, number)))
                        .isEqualTo(number);
            }
        }
    }

    @Test
    void priorityHasBounds() {
        assertThat(Order.checkPriority(-1000)).isEqualTo(-1000);
        assertThatIllegalArgumentException().isThrownBy(() -> Order.checkPriority(1001));
        assertThatIllegalArgumentException().isThrownBy(() -> Order.checkPriority(Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void aJobIsLiveOrEndedAndSuccessIsForGood(JobState state) {
        boolean isLive = state.isWaiting() || state == JobState.RUNNING;
        assertThat(state.isTerminal()).isNotEqualTo(isLive);
        EnumSet<JobState> next = EnumSet.allOf(JobState.class);
        next.removeIf(other -> !state.mayBecome(other));
        if (state == JobState.SUCCEEDED) {
            assertThat(next).isEmpty();
        } else if (state.isTerminal()) {
            assertThat(next).containsExactly(JobState.AWAITING, JobState.QUEUED);
        } else {
            assertThat(next).contains(JobState.CANCELLED, JobState.FAILED);
        }
    }

    @Test
    void anIdIsAPositiveNumber() {
        assertThat(JobId.parse(" 4711 ")).isEqualTo(JobId.of(4711));
        assertThatIllegalArgumentException().isThrownBy(() -> JobId.parse("x")).withMessageContaining("4711");
        assertThatIllegalArgumentException().isThrownBy(() -> JobId.of(0));
    }
}
