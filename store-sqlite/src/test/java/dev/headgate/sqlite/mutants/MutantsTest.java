package dev.headgate.sqlite.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plants bugs in the production code, one at a time, and shows that the simulation finds each of them. */
@Timeout(value = 6, unit = TimeUnit.HOURS) // a search is bounded in events, whatever the machine does meanwhile
class MutantsTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FILES = Path.of("src/test/resources/mutants");
    private static final long EVENTS_MAX = Long.getLong("mutants.events", 400_000);

    /** Not only one for each invariant. */
    private static final boolean IS_ALL = Boolean.getBoolean("mutants.all");

    /** Where to begin; without it each begins where it was found before. */
    private static final Long SEED = Long.getLong("mutants.seed");

    /** After so many worlds the next search would better begin elsewhere. */
    private static final int SEEDS_MAX = 20;

    /** What {@code ./check mutants} shows of all that a build says. */
    private static final String TABLE_MARK = "mutants: ";

    private static final List<String> TABLE = new ArrayList<>();
    private static final List<String> NOTES = new ArrayList<>();
    private static final List<Long> EVENTS = new ArrayList<>();

    @TempDir
    Path work;

    /** All of them, or one for each invariant where it has to be quick: with every build. */
    static List<Mutant> mutants() throws IOException {
        String only = System.getProperty("mutants.only", "");
        Map<String, Mutant> chosen = new TreeMap<>();
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".mutant", "");
                Mutant mutant = Mutant.read(file, name);
                if (name.contains(only)) {
                    chosen.putIfAbsent(IS_ALL ? name : mutant.breaks().getFirst(), mutant);
                }
            }
        }
        return List.copyOf(chosen.values());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isCaught(Mutant mutant) throws Exception {
        Map<String, String> found;
        try (Culture culture = Culture.of(mutant, CHECKOUT, work)) {
            found = run(culture, mutant.store(), SEED == null ? mutant.seed() : SEED, EVENTS_MAX);
        }
        assertThat(found)
                .as("%s survived %d events: %s", mutant, EVENTS_MAX, mutant.about())
                .isNotEmpty();
        TABLE.add("%-28s %-4s %9s events  seed %-4s %s"
                .formatted(mutant, found.get("invariant"), found.get("events"), found.get("seed"), found.get("what")));
        if (SEED == null && Long.parseLong(found.get("seed")) > mutant.seed() + SEEDS_MAX) {
            NOTES.add("%-28s is found in another world now: write 'seed: %s' into its file"
                    .formatted(mutant, found.get("seed")));
        }
        EVENTS.add(Long.valueOf(found.get("events")));
        assertThat(mutant.breaks()).as(found.get("what")).contains(found.get("invariant"));
    }

    @SuppressWarnings("unchecked") // the test's own class in the culture, which speaks in strings
    private static Map<String, String> run(Culture culture, String store, long seed, long events)
            throws ReflectiveOperationException {
        var trial = (Function<Map<String, String>, Map<String, String>>)
                culture.loadClass(Trial.class.getName()).getConstructor().newInstance();
        return trial.apply(Map.of("store", store, "seed", String.valueOf(seed), "events", String.valueOf(events)));
    }

    /** The same classes without any bug: what is found in a mutant is found because of the mutant. */
    @Test
    void theHealthyCodeIsNot() throws Exception {
        Mutant none = new Mutant("none", "", List.of(), "memory", 1, List.of());
        try (Culture culture = Culture.of(none, CHECKOUT, work)) {
            assertThat(run(culture, "memory", 1, EVENTS_MAX / 20)).isEmpty();
        }
    }

    /** Also those that a build leaves out: a change of the code that a bug is planted in shows at once. */
    @Test
    void everyOneCanStillBePlanted() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files).isNotEmpty().allSatisfy(file -> {
                Mutant mutant = Mutant.read(file, file.getFileName().toString());
                assertThat(mutant.files(CHECKOUT)).isNotEmpty();
            });
        }
    }

    @AfterAll
    static void table() {
        if (!TABLE.isEmpty()) {
            TABLE.forEach(line -> System.out.println(TABLE_MARK + line));
            NOTES.forEach(line -> System.out.println(TABLE_MARK + line));
            long[] sorted = EVENTS.stream().mapToLong(Long::longValue).sorted().toArray();
            System.out.printf(
                    TABLE_MARK + "%d mutants caught, median after %,d events, by %s%n",
                    sorted.length,
                    sorted[sorted.length / 2],
                    new TreeSet<>(Arrays.asList(invariants())));
        }
    }

    private static String[] invariants() {
        return TABLE.stream().map(line -> line.substring(29).split(" ", 2)[0]).toArray(String[]::new);
    }
}
