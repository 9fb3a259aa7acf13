package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartsByMarginTest {
    @Test
    void startsAreCountedByTheirMargin() {
        StartsByMargin starts = new StartsByMargin();
        assertThat(starts.jobs()).isZero();
        assertThat(starts.leastMargin()).isZero();
        long[][] added = {{50, 3}, {20, 1}, {50, 4}, {70, 0}, {20, 5}, {90, 6}};
        for (long[] start : added) {
            starts.add(start[0], start[1]);
        }
        List<String> told = new ArrayList<>();
        starts.each((margin, jobs, units) -> told.add(margin + ": " + jobs + " jobs, " + units + " units"));
        assertThat(told)
                .containsExactly(
                        "50: 2 jobs, 7 units", "20: 2 jobs, 6 units", "70: 1 jobs, 0 units", "90: 1 jobs, 6 units");
        assertThat(starts.jobs()).isEqualTo(6);
        assertThat(starts.leastMargin()).isEqualTo(20);
    }
}
