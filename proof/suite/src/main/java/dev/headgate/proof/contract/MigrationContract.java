package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Effect;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.MigrationPlan.Step;
import dev.headgate.store.StoreRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** For stores with tables that are migrated: what would be done can be seen before, and be done by hand. */
public interface MigrationContract {
    StoreProvider provider();

    /** The URL of a store that has nothing in it yet, not even tables. */
    String emptyUrl() throws Exception;

    /** Runs these in the store behind the URL, one after the other, and commits. */
    void execute(String url, List<String> statements) throws Exception;

    /** The names of all tables there. */
    List<String> tables(String url) throws Exception;

    /** A store as the first migration left it. */
    private String oldStore() throws Exception {
        String url = emptyUrl();
        List<String> first = new ArrayList<>(provider().planMigration(url).steps().stream()
                .filter(step -> step.version() == 1)
                .map(Step::sql)
                .toList());
        first.add("update headgate_meta set value = 1 where key = 'schema_version'");
        execute(url, first);
        return url;
    }

    @Test
    default void aPlanTellsEverythingAndDoesNothing() throws Exception {
        String url = oldStore();
        List<String> before = tables(url);
        MigrationPlan plan = provider().planMigration(url);
        assertThat(plan.from()).isEqualTo(1);
        assertThat(plan.to()).isGreaterThan(1);
        assertThat(plan.steps())
                .extracting(Step::version)
                .isSorted()
                .containsAll(IntStream.rangeClosed(2, plan.to()).boxed().toList());
        assertThat(plan.steps())
                .allSatisfy(step -> assertThat(step.sql()).isNotBlank().doesNotContain("--"))
                .anySatisfy(step -> {
                    assertThat(step.effect()).isEqualTo(Effect.NEW);
                    assertThat(step.table()).isEqualTo("headgate_schedule");
                })
                .anySatisfy(step -> {
                    assertThat(step.effect()).isEqualTo(Effect.READS);
                    assertThat(step.sql()).contains("create index headgate_job_aside");
                    assertThat(step.table()).isEqualTo("headgate_job");
                })
                .anySatisfy(step -> {
                    assertThat(step.effect()).isEqualTo(Effect.DESCRIPTION);
                    assertThat(step.sql()).contains("add column as_of");
                });
        assertThat(tables(url)).isEqualTo(before);
        assertThat(provider().planMigration(url)).as("the same again").isEqualTo(plan);
    }

    @Test
    default void aMigrationByHandDoesWhatThePlanSaysAndTellsHowFarItIs() throws Exception {
        String url = oldStore();
        MigrationPlan plan = provider().planMigration(url);
        List<Step> told = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        MigrationPlan done = provider().migrate(url, false, (Progress progress) -> {
            told.add(progress.step());
            numbers.add(progress.number());
            assertThat(progress.plan()).isEqualTo(plan);
        });
        assertThat(done).isEqualTo(plan);
        assertThat(told).isEqualTo(plan.steps());
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, told.size()).boxed().toList());
        assertThat(provider().planMigration(url).isUpToDate()).isTrue();
        assertThat(provider()
                        .migrate(url, false, progress -> told.add(progress.step()))
                        .steps())
                .as("nothing is left to do")
                .isEmpty();
        assertThat(told).hasSameSizeAs(plan.steps());
        try (Backend backend = provider().open(url)) {
            assertThat(backend.describe()).isNotEmpty();
        }
    }

    /** All of it or nothing: a listener that fails is as good as a process that dies. */
    @Test
    default void aMigrationThatBreaksLeavesTheStoreAsItWas() throws Exception {
        String url = oldStore();
        List<String> before = tables(url);
        MigrationPlan plan = provider().planMigration(url);
        int last = plan.steps().size();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> provider().migrate(url, false, progress -> {
                    if (progress.number() == last) {
                        throw new IllegalStateException("planted");
                    }
                }))
                .withMessage("planted");
        assertThat(tables(url)).isEqualTo(before);
        assertThat(provider().planMigration(url)).isEqualTo(plan);
        provider().open(url).close();
        assertThat(provider().planMigration(url).isUpToDate()).isTrue();
    }

    @Test
    default void aStoreThatIsNotThereYetIsPlannedFromNothing() throws Exception {
        String url = emptyUrl();
        MigrationPlan plan = provider().planMigration(url);
        assertThat(plan.from()).isZero();
        assertThat(plan.steps()).extracting(Step::effect).contains(Effect.NEW);
        assertThat(tables(url)).isEmpty();
        assertThat(provider().migrate(url, false, progress -> {}).from()).isZero();
        assertThat(provider().planMigration(url).isUpToDate()).isTrue();
    }

    @Test
    default void aStoreOfANewerVersionIsNeitherPlannedNorMigrated() throws Exception {
        String url = emptyUrl();
        provider().open(url).close();
        execute(url, List.of("update headgate_meta set value = 999 where key = 'schema_version'"));
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> provider().planMigration(url))
                .withMessageContaining("999");
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> provider().migrate(url, false, progress -> {}))
                .withMessageContaining("newer Headgate");
    }
}
