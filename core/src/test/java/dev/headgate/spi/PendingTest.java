package dev.headgate.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingTest {
    private final AtomicInteger trips = new AtomicInteger();
    private final Pending<Integer> pending = Pending.from(trips::incrementAndGet);

    @Test
    void anAnswerIsWaitedForOnce() {
        assertThat(pending.get()).isEqualTo(1);
        assertThat(pending.get()).isEqualTo(1);
    }

    @Test
    void toMapAnAnswerWaitsForNothing() {
        AtomicInteger mapped = new AtomicInteger();
        Pending<Integer> sum = pending.map(answer -> answer + mapped.incrementAndGet());
        assertThat(trips).hasValue(0);
        assertThat(sum.get()).isEqualTo(2);
        assertThat(sum.get()).isEqualTo(2);
        assertThat(trips).hasValue(1);
    }
}
