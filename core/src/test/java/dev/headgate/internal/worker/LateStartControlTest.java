package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker that keeps missing asks for fewer, then for one, then rests; one that is in time soon asks for all again. */
class LateStartControlTest {
    private static final long MS = 1_000_000;

    private final List<Boolean> said = new ArrayList<>();
    private final LateStartControl lateStartControl = new LateStartControl(20, 0, said::add);
    private long now = 1;

    /** One turn, in which all starts are late. */
    private void miss(int starts) {
        now += MS;
        lateStartControl.granted(now, starts);
        for (int i = 0; i < starts; i++) {
            lateStartControl.late(now, now);
        }
    }

    private void hit(int starts) {
        now += MS;
        lateStartControl.granted(now, starts);
        for (int i = 0; i < starts; i++) {
            lateStartControl.inTime(now, true);
        }
    }

    private Duration rest() {
        return Duration.ofNanos(lateStartControl.restLeft(now));
    }

    @Test
    void itAsksForFewerThenForOneThenRestsLongerAndLonger() {
        assertThat(lateStartControl.most(now)).isEqualTo(LateStartControl.UNBOUND);
        miss(20);
        assertThat(lateStartControl.most(now)).isEqualTo(10);
        miss(10);
        miss(5);
        miss(2);
        assertThat(lateStartControl.most(now)).isEqualTo(1);
        assertThat(said).isEmpty();
        for (long millis : new long[] {50, 100, 200, 400, 800, 1_000, 1_000}) {
            miss(1);
            assertThat(rest()).isEqualTo(Duration.ofMillis(millis));
            assertThat(lateStartControl.most(now)).isZero();
            now += millis * MS;
            assertThat(lateStartControl.most(now)).isEqualTo(1);
        }
        assertThat(said).containsExactly(true);
    }

    @Test
    void itSoonAsksForAllAgain() {
        for (int i = 0; i < 8; i++) {
            miss(1);
        }
        hit(1);
        assertThat(rest()).isZero();
        for (int most : new int[] {2, 4, 8, 16}) {
            assertThat(lateStartControl.most(now)).isEqualTo(most);
            hit(most);
        }
        assertThat(lateStartControl.most(now)).isEqualTo(LateStartControl.UNBOUND);
        assertThat(said).containsExactly(true, false);
        miss(1);
        miss(1);
        assertThat(rest()).isEqualTo(Duration.ofMillis(50));
        assertThat(said).containsExactly(true, false, true);
    }

    @Test
    void whatWasGrantedBeforeAMissWasKnownIsTheSameMiss() {
        lateStartControl.granted(10, 8);
        lateStartControl.granted(20, 8);
        lateStartControl.late(10, 30);
        lateStartControl.late(20, 31);
        assertThat(lateStartControl.most(31)).isEqualTo(4);
        assertThat(lateStartControl.inTime(20, true)).isFalse();
        assertThat(lateStartControl.most(31)).isEqualTo(4);
    }

    @Test
    void oneMissAmongManyHalvesOnlyWhatWasAskedFor() {
        miss(1);
        hit(1);
        lateStartControl.granted(50 * MS, 8);
        for (int i = 0; i < 7; i++) {
            lateStartControl.inTime(50 * MS, true);
        }
        lateStartControl.late(50 * MS, 51 * MS);
        assertThat(lateStartControl.most(51 * MS)).isEqualTo(4);
        assertThat(said).isEmpty();
    }

    @Test
    void turnsWithoutAMarginSayNothing() {
        miss(8);
        lateStartControl.granted(90 * MS, 0);
        assertThat(lateStartControl.most(90 * MS)).isEqualTo(4);
    }

    /** Most of what a worker claims must run: one that is only as quick as it is would otherwise give back half of all. */
    @Test
    void itStaysJustBelowWhatWouldBeLate() {
        long allowance = 50_000;
        LateStartControl many = new LateStartControl(2_000, 0, said::add);
        for (long tripMicros : new long[] {1_000, 10_000, 20_000, 30_000}) {
            long each = 100;
            long couldBe = (allowance - tripMicros) / each;
            long ran = 0;
            int late = 0;
            int turns = 400;
            for (int turn = 0; turn < turns; turn++) {
                now += MS;
                int starts = Math.min(2_000, Math.max(1, many.most(now)));
                many.granted(now, starts);
                for (int i = 1; i <= starts; i++) {
                    long lag = tripMicros + i * each;
                    if (lag > allowance) {
                        many.late(now, now);
                        late++;
                    } else {
                        many.inTime(now, lag <= allowance / 2);
                        ran++;
                    }
                }
            }
            assertThat(late).as("late, trip of %d us", tripMicros).isLessThan((int) (ran / 20));
            assertThat(ran).as("run, trip of %d us", tripMicros).isGreaterThan(turns * couldBe / 2);
        }
    }

    @Test
    void aTurnThatIsInTimeWithAllItAskedForAllowsOneMore() {
        miss(8);
        now += MS;
        lateStartControl.granted(now, 4);
        for (int i = 0; i < 3; i++) {
            assertThat(lateStartControl.inTime(now, false)).isFalse();
        }
        assertThat(lateStartControl.most(now)).isEqualTo(4);
        assertThat(lateStartControl.inTime(now, false)).isTrue();
        assertThat(lateStartControl.most(now)).isEqualTo(5);
    }

    @Test
    void startsOfAnEarlierTurnDoNotCountForALaterOne() {
        miss(2);
        lateStartControl.granted(10 * MS, 1);
        lateStartControl.granted(20 * MS, 1);
        assertThat(lateStartControl.inTime(20 * MS, false)).isTrue();
        assertThat(lateStartControl.inTime(10 * MS, true)).isFalse();
        assertThat(lateStartControl.most(20 * MS)).isEqualTo(2);
    }
}
