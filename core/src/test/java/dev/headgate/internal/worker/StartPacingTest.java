package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.Cost;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A worker that has passed over starts with a margin knows when to look at them again: no other event would tell it. */
class StartPacingTest {
    private static final long MS = 1_000_000;
    private static final long MARGIN = 80_000;
    private static final Head HEAD = new Head(1, 1, Cost.ONE, "call");

    private final LateStartControl lateStartControl = new LateStartControl(20, 0, isBehind -> {});
    private final StartPacing pacing = new StartPacing(lateStartControl, Set::of);

    /** One start at a time, each of them late: now it rests for 50 ms. */
    private void rest(long now) {
        for (int starts : new int[] {2, 1}) {
            lateStartControl.granted(now - starts, starts);
            lateStartControl.late(now - starts, now);
        }
        assertThat(lateStartControl.restLeft(now)).isEqualTo(50 * MS);
    }

    /** A turn that is sent now meets a start with a margin, and finds room for it or passes it over. */
    private boolean meets(long now) {
        boolean isTaken = pacing.fit(JobFit.ALWAYS, now).trial().take(HEAD, MARGIN);
        List<Unfit> unfit = isTaken ? List.of() : List.of(new Unfit(HEAD, "lane", "default"));
        pacing.note(new Turn.Passed(unfit, false));
        return isTaken;
    }

    @Test
    void itLooksAgainWhenItsRestIsOver() {
        rest(1_000 * MS);
        assertThat(meets(1_010 * MS)).isFalse();
        assertThat(pacing.lookAgain(1_011 * MS)).isEqualTo(39 * MS);
    }

    @Test
    void itLooksAgainAtOnceIfItsRestEndedDuringTheTurn() {
        rest(1_000 * MS);
        assertThat(meets(1_049 * MS)).isFalse();
        assertThat(pacing.lookAgain(1_050 * MS)).isZero();
        assertThat(pacing.lookAgain(1_090 * MS)).isZero();
        assertThat(meets(1_090 * MS)).isTrue();
        assertThat(pacing.lookAgain(1_091 * MS)).isNegative();
    }

    /** A look after the first word may find the lane locked by the second turn. */
    @Test
    void othersAreToldTwiceOfWhatItPassesOver() {
        rest(1_000 * MS);
        for (boolean isTold : new boolean[] {true, true, false, false}) {
            assertThat(pacing.fit(JobFit.ALWAYS, 1_010 * MS).hasPassed(HEAD.job()))
                    .isEqualTo(!isTold);
            meets(1_010 * MS);
        }
        pacing.fit(JobFit.ALWAYS, 1_020 * MS);
        pacing.note(Turn.Passed.NONE);
        assertThat(pacing.fit(JobFit.ALWAYS, 1_030 * MS).hasPassed(HEAD.job())).isFalse();
    }

    @Test
    void itLooksForNothingThatItHasNotPassedOver() {
        rest(1_000 * MS);
        pacing.fit(JobFit.ALWAYS, 1_010 * MS);
        pacing.note(Turn.Passed.NONE);
        assertThat(pacing.lookAgain(1_011 * MS)).isNegative();
    }
}
