package dev.headgate.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.Attempt;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which returns of a job are in a row, and what they cost it. */
class WorkerTroubleTest {
    /** Attempts with these outcomes, the oldest first. */
    private static List<Attempt> past(String... outcomes) {
        return IntStream.range(0, outcomes.length)
                .mapToObj(i -> new Attempt(1, i + 1, "w", Instant.EPOCH, Instant.EPOCH, outcomes[i], "why " + i))
                .toList();
    }

    private static int inARow(int lost, String... outcomes) {
        return WorkerTrouble.inARow(past(outcomes), lost).size();
    }

    @Test
    void onlyTheReturnsAtTheEndCount() {
        assertThat(inARow(0)).isZero();
        assertThat(inARow(0, "returned", "retried", "returned", "returned")).isEqualTo(2);
        assertThat(inARow(0, "returned", "returned", "retried")).isZero();
    }

    /** Losses that no longer count are those of an earlier life of the job: what lies before them is over. */
    @Test
    void asManyLossesAsCountAreSkippedAndNoMore() {
        String[] mixed = {"returned", "lost", "returned", "lost", "returned"};
        assertThat(inARow(0, mixed)).isEqualTo(1);
        assertThat(inARow(1, mixed)).isEqualTo(2);
        assertThat(inARow(2, mixed)).isEqualTo(3);
        assertThat(inARow(9, mixed)).isEqualTo(3);
    }

    @Test
    void theFirstReturnWaitsForNothingAndEachFurtherOneTwiceAsLongUpToFiveMinutes() {
        assertThat(IntStream.of(1, 2, 3, 4, 10, 11, 19, 99).mapToLong(WorkerTrouble::pauseMicros))
                .containsExactly(
                        0L, 1_000_000L, 2_000_000L, 4_000_000L, 256_000_000L, 300_000_000L, 300_000_000L, 300_000_000L);
    }

    @Test
    void theTwentiethInARowEndsTheJobWithTheReasonsThatCameMostOften() {
        String[] nineteen = Stream.generate(() -> "returned").limit(19).toArray(String[]::new);
        WorkerTrouble.Consequence last = WorkerTrouble.judge(past(nineteen), 0, "why 3");
        assertThat(last.count()).isEqualTo(20);
        assertThat(last.failure())
                .contains("gave it back 20 times in a row", "why 3 (2 times); why 0 (1 times); why 1 (1 times);")
                .doesNotContain("why 10");
        assertThat(WorkerTrouble.judge(past(nineteen).subList(1, 19), 0, "why 3")
                        .failure())
                .isNull();
    }
}
