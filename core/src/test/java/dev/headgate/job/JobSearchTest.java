package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.job.JobSearch.Between;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobSearchTest {
    private static final Instant NINE = Instant.parse("2030-01-31T09:00:00Z");
    private static final Instant TEN = Instant.parse("2030-01-31T10:00:00Z");

    @Test
    void aTimeRangeHasItsBeginningAndNotItsEnd() {
        Between range = new Between(NINE, TEN);
        assertThat(range.has(NINE)).isTrue();
        assertThat(range.has(TEN)).isFalse();
        assertThat(range.has(NINE.minusNanos(1))).isFalse();
        assertThat(range.has(null)).isFalse();
        assertThat(Between.ANY.has(null)).isTrue();
        assertThat(new Between(null, TEN).has(null)).isFalse();
        assertThatThrownBy(() -> new Between(TEN, NINE))
                .hasMessage("time range: expected its beginning before its end, got %s and %s", TEN, NINE);
    }

    @Test
    void filtersAreAddedToOneAnother() {
        JobFilter filter = JobFilter.all()
                .error("429")
                .worker("w")
                .ended(NINE, null)
                .started(null, TEN)
                .enqueued(NINE, TEN)
                .payload("a.b", "1")
                .label("team", "mail")
                .queue("mail");
        assertThat(filter.search())
                .isEqualTo(new JobSearch(
                        "w",
                        new JobSearch.Times(new Between(NINE, TEN), new Between(null, TEN), new Between(NINE, null)),
                        "429",
                        new JobSearch.Field("a.b", "1"),
                        new TreeMap<>(Map.of("team", "mail"))));
        assertThatThrownBy(() -> filter.payload("a..b", "1")).hasMessageContaining("got 'a..b'");
    }
}
