package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Starts whose margin is not over, beside a map of the same. */
class PendingStartsTest {
    private static final int INSTANTS = 40;

    @Test
    void unitsAreKeptByInstantWhateverIsAddedAndTaken() {
        Random random = new Random(20260301);
        PendingStarts pending = new PendingStarts();
        TreeMap<Long, Long> naive = new TreeMap<>();
        for (int step = 0; step < 2_000; step++) {
            long instant = random.nextInt(INSTANTS);
            long units = random.nextInt(4);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    pending.add(instant, units);
                    naive.merge(instant, units, Long::sum);
                }
                case 2, 3 -> {
                    long taken = Math.min(units, naive.getOrDefault(instant, 0L));
                    assertThat(pending.take(instant, units)).isEqualTo(taken);
                    naive.merge(instant, -taken, Long::sum);
                }
                default -> {
                    if (pending.size() > 0) {
                        pending.removeFirst();
                        naive.pollFirstEntry();
                    }
                }
            }
            naive.values().removeIf(left -> left == 0);
            assertSame(pending, naive);
            PendingStarts copy = pending.copy();
            copy.add(INSTANTS, 7);
            copy.take(instant, 9);
            assertSame(pending, naive);
            assertSame(reread(pending), naive);
        }
        pending.clear();
        assertSame(pending, Map.of());
    }

    /** Beyond 128 instants they join the next later one, which is stricter. */
    @Test
    void ofTooManyInstantsTheFirstJoinsTheNext() {
        PendingStarts pending = new PendingStarts();
        for (int i = 1; i <= 128; i++) {
            pending.add(10L * i, i);
        }
        assertThat(pending.size()).isEqualTo(128);
        assertThat(pending.at(0)).isEqualTo(10);
        pending.add(1_290, 5);
        assertThat(pending.size()).isEqualTo(128);
        assertThat(pending.at(0)).isEqualTo(20);
        assertThat(pending.units(0)).isEqualTo(3);
        assertThat(pending.at(127)).isEqualTo(1_290);
        assertThat(pending.total()).isEqualTo(8_261);
    }

    @Test
    void whatIsNoListOfStartsIsRefused() {
        for (String wrong : new String[] {"", "5,-1", "5*0", "5*-2", "5*", "?"}) {
            assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> new PendingStarts().read(wrong));
        }
    }

    private static PendingStarts reread(PendingStarts pending) {
        StringBuilder text = new StringBuilder();
        pending.write(text);
        PendingStarts read = new PendingStarts();
        if (pending.size() > 0) {
            read.read(text.toString());
        }
        return read;
    }

    private static void assertSame(PendingStarts pending, Map<Long, Long> naive) {
        assertThat(pending.size()).isEqualTo(naive.size());
        assertThat(pending.total())
                .isEqualTo(naive.values().stream().mapToLong(units -> units).sum());
        int place = 0;
        for (Map.Entry<Long, Long> entry : naive.entrySet()) {
            assertThat(pending.at(place)).isEqualTo(entry.getKey());
            assertThat(pending.units(place)).isEqualTo(entry.getValue());
            place++;
        }
        for (long instant = 0; instant < INSTANTS; instant++) {
            assertThat(pending.holds(instant)).isEqualTo(naive.containsKey(instant));
        }
    }
}
