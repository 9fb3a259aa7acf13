package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.Rig;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Step;
import dev.headgate.testkit.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * For stores with tables: stores of older versions are kept as text, with every kind of row in them, and each must be brought up to date
 * by the migrations that came later and then live on. {@code ./check freeze} keeps a store of the present version, before a release.
 */
public interface FrozenContract {
    /** When a newer version comes to a store that was frozen: every lease has ended, and much of what was to come is due. */
    Instant LATER = Instant.parse("2026-03-01T00:00:00Z");

    /** Columns that tell kinds of rows apart, and what must stand in each. */
    Map<String, List<String>> KINDS = Map.ofEntries(
            Map.entry("headgate_job state", List.of("AWAITING", "PARKED", "QUEUED", "RUNNING", "SCHEDULED")),
            Map.entry(
                    "headgate_job park_reason",
                    List.of("NEVER_FITS", "PAUSED", "UNKNOWN_HANDLER", "UNREADABLE_PAYLOAD")),
            Map.entry("headgate_job cancel_requested", List.of("0", "1")),
            Map.entry("headgate_job capped_queue", List.of("0", "1")),
            Map.entry("headgate_history state", List.of("CANCELLED", "FAILED", "SUCCEEDED")),
            Map.entry("headgate_attempt outcome", List.of("cancelled", "failed", "lost", "retried", "returned")),
            Map.entry("headgate_lane state", List.of("READY", "WAITING")),
            Map.entry("headgate_policy_version kind", List.of("ENDED", "OVERRIDE", "REMOVE", "SET", "UNDO")),
            Map.entry("headgate_journal kind", List.of("CLEAR", "LATE", "LOST", "RETURN", "SETTLE", "START")),
            Map.entry("headgate_edge unmet", List.of("FAIL", "IGNORE", "REMOVE")),
            Map.entry("headgate_edge outcome", List.of("CANCELLED", "DELETED", "FAILED", "SUCCEEDED")),
            Map.entry("headgate_edge child", List.of("0", "1")),
            Map.entry("headgate_edge fatal", List.of("0", "1")),
            Map.entry(
                    "headgate_frame state",
                    List.of(
                            "AWAITING",
                            "BUDGET_EXCEEDED",
                            "CANCELLED",
                            "FAILED",
                            "JOINING",
                            "RUNNING",
                            "SLEEPING",
                            "SUCCEEDED")),
            Map.entry("headgate_frame halt", List.of("BUDGET_EXCEEDED", "PAUSED")),
            Map.entry("headgate_schedule missed", List.of("ALL", "ONE", "SKIP")),
            Map.entry("headgate_schedule overlap", List.of("ALLOW", "BUFFER", "SKIP")),
            Map.entry("headgate_schedule paused", List.of("0", "1")));

    StoreProvider provider();

    /** The same store in a program of the next version, which knows one migration more. It is made up. */
    StoreProvider nextProvider();

    /** The URL of a store that has nothing in it yet, not even tables; another one each time. */
    String emptyUrl() throws Exception;

    /** Opens what is there, on this clock. */
    Backend open(String url, StoreClock clock);

    /** The store of one version, or nothing if none was frozen; it stands beside the test's class. */
    private @Nullable String frozen(int version) throws IOException {
        try (InputStream in = getClass().getResourceAsStream("frozen/%04d.sql".formatted(version))) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Map<Integer, StoreDump> allFrozen() throws Exception {
        int present = provider().planMigration(emptyUrl()).to();
        Map<Integer, StoreDump> all = new LinkedHashMap<>();
        for (int version = 1; version <= present; version++) {
            String text = frozen(version);
            if (text != null) {
                all.put(version, StoreDump.parse(text));
            }
        }
        assertThat(all).as("stores that were frozen").isNotEmpty();
        return all;
    }

    /** A store of the present version, made by the code as it is now. */
    private String livedIn() throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            LivedInStore.fill(rig);
            assertThat(rig.store().recount()).as("drift").isEmpty();
        }
        return url;
    }

    private static void assertComplete(String url, Map<String, List<String>> kinds) throws Exception {
        assertThat(StoreDump.counts(url))
                .isNotEmpty()
                .allSatisfy(
                        (table, rows) -> assertThat(rows).as("rows of " + table).isPositive());
        Map<String, Set<String>> wanted = new TreeMap<>();
        Map<String, Set<String>> found = new TreeMap<>();
        for (Map.Entry<String, List<String>> kind : kinds.entrySet()) {
            String[] names = kind.getKey().split(" ", 2);
            wanted.put(kind.getKey(), new TreeSet<>(kind.getValue()));
            found.put(kind.getKey(), StoreDump.values(url, names[0], names[1]));
        }
        assertThat(found).isEqualTo(wanted);
    }

    /** A new table, or a new kind of row, belongs into {@link LivedInStore}; then this is green again. */
    @Test
    default void aStoreThatIsFrozenHasEveryKindOfRowAndCanBeReadBack() throws Exception {
        String url = livedIn();
        assertComplete(url, KINDS);
        MigrationPlan made = provider().planMigration(emptyUrl());
        StoreDump dump = StoreDump.of(url, made.steps());
        String text = dump.text(
                "A store of version %d of the tables, with every kind of row. Made by: ./check freeze\nNever changed after a release: the migrations that come later are tested with it."
                        .formatted(made.to()));
        String copy = emptyUrl();
        StoreDump.parse(text).load(copy);
        assertThat(StoreDump.of(copy, made.steps())).isEqualTo(dump);
        liveOn(copy);
        String folder = System.getProperty("freeze." + provider().scheme().replaceAll("jdbc:|:", ""), "");
        if (!folder.isEmpty()) {
            Path file = Path.of(folder).resolve("%04d.sql".formatted(made.to()));
            assertThat(file).as("frozen already").doesNotExist();
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }

    @Test
    default void aFrozenStoreIsBroughtUpToDateAndLivesOn() throws Exception {
        for (Map.Entry<Integer, StoreDump> each : allFrozen().entrySet()) {
            String url = emptyUrl();
            each.getValue().load(url);
            assertComplete(url, Map.of());
            MigrationPlan plan = provider().planMigration(url);
            assertThat(plan.from()).isEqualTo(each.getKey());
            assertThat(provider().migrate(url, false, progress -> {})).isEqualTo(plan);
            assertThat(provider().planMigration(url).isUpToDate()).isTrue();
            liveOn(url);
        }
    }

    /** A migration meets rows of every kind. */
    @Test
    default void aFrozenStoreKeepsItsRowsInTheNextMigration() throws Exception {
        for (StoreDump each : allFrozen().values()) {
            String url = emptyUrl();
            each.load(url);
            provider().migrate(url, false, progress -> {});
            Map<String, Long> before = StoreDump.counts(url);
            assertThat(nextProvider().migrate(url, true, progress -> {}).steps())
                    .isNotEmpty();
            Map<String, Long> after = StoreDump.counts(url);
            assertThat(after.remove("headgate_next")).isEqualTo(1);
            assertThat(after).isEqualTo(before);
        }
    }

    /** A store that was made by an edited migration is another one than those that are out there. */
    @Test
    default void aMigrationThatWasFrozenIsNeverEdited() throws Exception {
        List<Step> steps = provider().planMigration(emptyUrl()).steps();
        for (Map.Entry<Integer, StoreDump> each : allFrozen().entrySet()) {
            assertThat(steps.stream()
                            .filter(step -> step.version() <= each.getKey())
                            .map(Step::sql))
                    .containsExactlyElementsOf(each.getValue().tables());
        }
    }

    private void liveOn(String url) throws Exception {
        List<Long> jobs = new ArrayList<>();
        for (String table : List.of("headgate_job", "headgate_history")) {
            StoreDump.values(url, table, "id").forEach(id -> jobs.add(Long.valueOf(id)));
        }
        VirtualTime time = new VirtualTime(LATER);
        try (Rig rig = new Rig(open(url, time), time)) {
            LivedInWalk walk = new LivedInWalk(rig);
            walk.readAll();
            walk.workOff(jobs);
            walk.prune();
        }
        assertThat(StoreDump.counts(url))
                .as("what is left of the jobs and runs")
                .containsEntry("headgate_job", 0L)
                .containsEntry("headgate_history", 0L)
                .containsEntry("headgate_attempt", 0L)
                .containsEntry("headgate_log", 0L)
                .containsEntry("headgate_edge", 0L)
                .containsEntry("headgate_lane", 0L)
                .containsEntry("headgate_arrival", 0L)
                .containsEntry("headgate_frame", 0L)
                .containsEntry("headgate_event", 0L)
                .containsEntry("headgate_signal", 0L)
                .containsEntry("headgate_artifact", 0L)
                .containsEntry("headgate_journal", 0L);
    }
}
