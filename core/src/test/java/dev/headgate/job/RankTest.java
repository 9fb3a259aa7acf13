package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankTest {
    @Test
    void higherPriorityThenFrontThenOrder() {
        long[] inOrder = {
            Rank.of(1000, true, 9),
            Rank.of(1000, false, 1),
            Rank.of(1, true, 4),
            Rank.of(1, true, 3),
            Rank.of(1, false, 1L << 40),
            Rank.of(0, true, 2),
            Rank.of(0, false, 1),
            Rank.of(0, false, 2),
            Rank.of(-1, true, 1L << 40),
            Rank.of(-1000, false, 1L << 46)
        };
        assertThat(inOrder).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void priorityHasBounds() {
        assertThat(Rank.checkPriority(-1000)).isEqualTo(-1000);
        assertThatIllegalArgumentException().isThrownBy(() -> Rank.checkPriority(1001));
        assertThatIllegalArgumentException().isThrownBy(() -> Rank.checkPriority(Integer.MIN_VALUE));
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
            assertThat(next).containsExactly(JobState.QUEUED);
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
