package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.job.JobFilter;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.RequestKeyRow;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Idempotency keys: each once for its token, for a day, and with the jobs of its request or not at all. */
public interface RequestKeyContract extends StoreFixture {
    private static RequestKeyRow row(String token, String key, long at) {
        return new RequestKeyRow(token, key, "hash of " + key, 201, "{\"id\":%d}".formatted(at), at);
    }

    private static List<RequestKeyRow> find(Rig rig, String token, List<String> keys, long after) {
        return rig.store().backend().read(tx -> tx.requestKeys().find(token, keys, after));
    }

    private static int put(Rig rig, List<RequestKeyRow> rows, long after) {
        return rig.store().backend().write(tx -> tx.requestKeys().put(rows, after));
    }

    private static int prune(Rig rig, long upTo, int most) {
        return rig.store().backend().write(tx -> tx.requestKeys().prune(upTo, most));
    }

    private static @Nullable Long writtenBefore(Rig rig, int younger) {
        return rig.store().backend().<@Nullable Long>read(tx -> tx.requestKeys().writtenBefore(younger));
    }

    @Test
    default void aKeyBelongsToItsToken(Rig rig) {
        assertThat(put(rig, List.of(row("a", "k1", 5), row("b", "k1", 6), row("a", "k2", 7)), 0))
                .isEqualTo(3);
        assertThat(find(rig, "a", List.of("k1", "k3"), 0)).containsExactly(row("a", "k1", 5));
        assertThat(find(rig, "b", List.of("k1", "k2"), 0)).containsExactly(row("b", "k1", 6));
        assertThat(find(rig, "c", List.of("k1"), 0)).isEmpty();
    }

    @Test
    default void aKeyIsWrittenOnceUntilItHasExpired(Rig rig) {
        put(rig, List.of(row("a", "k1", 5)), 0);
        assertThat(put(rig, List.of(row("a", "k1", 9), row("a", "k2", 9)), 4)).isEqualTo(1);
        assertThat(find(rig, "a", List.of("k1"), 4)).containsExactly(row("a", "k1", 5));
        assertThat(find(rig, "a", List.of("k1"), 5)).isEmpty();
        assertThat(put(rig, List.of(row("a", "k1", 11)), 5)).isEqualTo(1);
        assertThat(find(rig, "a", List.of("k1"), 5)).containsExactly(row("a", "k1", 11));
    }

    @Test
    default void theOldestKeysGoFirst(Rig rig) {
        put(
                rig,
                IntStream.rangeClosed(1, 5)
                        .mapToObj(at -> row("a", "k" + at, at))
                        .toList(),
                0);
        assertThat(writtenBefore(rig, 3)).isEqualTo(2);
        assertThat(writtenBefore(rig, 5)).isNull();
        assertThat(prune(rig, 3, 2)).isEqualTo(2);
        List<String> all = List.of("k1", "k2", "k3", "k4", "k5");
        assertThat(find(rig, "a", all, 0)).extracting(RequestKeyRow::key).containsExactlyInAnyOrder("k3", "k4", "k5");
        assertThat(prune(rig, 3, 2)).isEqualTo(1);
    }

    @Test
    default void aKeyGoesAfterADay(Rig rig) {
        rig.store().backend().write(tx -> tx.requestKeys().put(List.of(row("a", "old", tx.now())), 0));
        rig.advance(Duration.ofHours(23));
        rig.store().backend().write(tx -> tx.requestKeys().put(List.of(row("a", "young", tx.now())), 0));
        rig.advance(Duration.ofHours(1));
        assertThat(rig.store().pruneRecords()).isEqualTo(1);
        assertThat(find(rig, "a", List.of("old", "young"), 0))
                .extracting(RequestKeyRow::key)
                .containsExactly("young");
    }

    @Test
    default void whatIsWrittenBesideJobsStandsOrFallsWithThem(Rig rig) {
        BesideJobs beside = (tx, jobs) -> {
            List<RequestKeyRow> rows =
                    List.of(row("a", "k1", jobs.get().getFirst().id()));
            if (tx.requestKeys().put(rows, 0) == 0) {
                throw new IllegalStateException("taken");
            }
        };
        long id = rig.store()
                .enqueues()
                .run(List.of(Jobs.job("q").build()), beside)
                .getFirst()
                .id();
        assertThat(find(rig, "a", List.of("k1"), 0)).containsExactly(row("a", "k1", id));
        assertThatThrownBy(
                        () -> rig.store().enqueues().run(List.of(Jobs.job("q").build()), beside))
                .hasMessage("taken");
        assertThat(rig.store().list(JobFilter.all())).hasSize(1);
    }
}
