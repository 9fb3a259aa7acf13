package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** For stores with tables that are migrated: what would be done can be seen before, and be done by hand. */
public interface MigrationContract {
    StoreProvider provider();

    /** The same store in a program of the next version, which knows one migration more. It is made up. */
    StoreProvider nextProvider();

    /** The URL of a store that has nothing in it yet, not even tables. */
    String emptyUrl() throws Exception;

    /** Runs these in the store behind the URL, one after the other, and commits. */
    void execute(String url, List<String> statements) throws Exception;

    /** The names of all tables there. */
    List<String> tables(String url) throws Exception;

    /** A store as the present program makes it. */
    private String store() throws Exception {
        String url = emptyUrl();
        provider().open(url).close();
        return url;
    }

    @Test
    default void aPlanTellsEverythingAndDoesNothing() throws Exception {
        String url = store();
        List<String> before = tables(url);
        MigrationPlan plan = nextProvider().planMigration(url);
        assertThat(plan.from()).isEqualTo(provider().planMigration(url).to());
        assertThat(plan.to()).isEqualTo(plan.from() + 1);
        assertThat(plan.steps()).allSatisfy(step -> {
            assertThat(step.version()).isEqualTo(plan.to());
            assertThat(step.sql()).isNotBlank().doesNotContain("--");
        });
        assertThat(plan.steps())
                .extracting(Step::effect, Step::table)
                .contains(
                        tuple(Effect.NEW, "headgate_next"),
                        tuple(Effect.READS, "headgate_job"),
                        tuple(Effect.DESCRIPTION, "headgate_share"),
                        tuple(Effect.ROWS, "headgate_worker"),
                        tuple(Effect.REWRITES, "headgate_artifact"));
        assertThat(tables(url)).isEqualTo(before);
        assertThat(nextProvider().planMigration(url)).as("the same again").isEqualTo(plan);
    }

    @Test
    default void aMigrationByHandDoesWhatThePlanSaysAndTellsHowFarItIs() throws Exception {
        String url = store();
        MigrationPlan plan = nextProvider().planMigration(url);
        List<Step> told = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        MigrationPlan done = nextProvider().migrate(url, false, (Progress progress) -> {
            told.add(progress.step());
            numbers.add(progress.number());
            assertThat(progress.plan()).isEqualTo(plan);
        });
        assertThat(done).isEqualTo(plan);
        assertThat(told).isEqualTo(plan.steps());
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, told.size()).boxed().toList());
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
        assertThat(nextProvider()
                        .migrate(url, false, progress -> told.add(progress.step()))
                        .steps())
                .as("nothing is left to do")
                .isEmpty();
        assertThat(told).hasSameSizeAs(plan.steps());
        try (Backend backend = nextProvider().open(url)) {
            assertThat(backend.describe()).isNotEmpty();
        }
    }

    /** All of it or nothing: a listener that fails is as good as a process that dies. */
    @Test
    default void aMigrationThatBreaksLeavesTheStoreAsItWas() throws Exception {
        String url = store();
        List<String> before = tables(url);
        MigrationPlan plan = nextProvider().planMigration(url);
        int last = plan.steps().size();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> nextProvider().migrate(url, false, progress -> {
                    if (progress.number() == last) {
                        throw new IllegalStateException("planted");
                    }
                }))
                .withMessage("planted");
        assertThat(tables(url)).isEqualTo(before);
        assertThat(nextProvider().planMigration(url)).isEqualTo(plan);
        nextProvider().open(url).close();
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
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

    /** A program that only looks changes nothing, so it says what would. */
    @Test
    default void aStoreOfAnOlderVersionIsNotReadAsItIs() throws Exception {
        String url = store();
        int version = provider().planMigration(url).to();
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> nextProvider().openToRead(url, null))
                .withMessageContaining(
                        "expected tables of version %d, found version %d; bring them up to date with 'headgate migrate'"
                                .formatted(version + 1, version));
    }

    @Test
    default void aStoreFromBeforeTheFirstReleaseIsRefusedAndLeftAsItIs() throws Exception {
        for (int version : List.of(1, 10)) {
            String url = emptyUrl();
            execute(
                    url,
                    List.of(
                            "drop table if exists headgate_meta",
                            "create table headgate_meta (key text primary key, value bigint not null)",
                            "insert into headgate_meta (key, value) values ('schema_version', %d)".formatted(version)));
            List<String> before = tables(url);
            List<ThrowingCallable> uses = List.of(
                    () -> provider().planMigration(url),
                    () -> provider().migrate(url, false, progress -> {}),
                    () -> provider().migrate(url, true, progress -> {}),
                    () -> provider().open(url).close(),
                    () -> provider().openToRead(url, null).close());
            for (ThrowingCallable use : uses) {
                assertThatExceptionOfType(StoreRefusedException.class)
                        .isThrownBy(use)
                        .withMessageContaining("expected tables of version 11 or newer, found version " + version)
                        .withMessageContaining("export with the Headgate that made it")
                        .withMessageContaining("'headgate policy export'");
            }
            assertThat(tables(url)).isEqualTo(before);
        }
    }

    /** They knew version 10, and refuse every store that does not say that they may use it. */
    @Test
    default void aProgramFromBeforeTheFirstReleaseTakesThisStoreForANewerOne() throws Exception {
        String url = store();
        assertThat(provider().planMigration(url).from()).isGreaterThan(10);
        assertThat(StoreDump.values(url, "headgate_meta", "key"))
                .contains("schema_version")
                .doesNotContain("oldest_version");
    }
}
