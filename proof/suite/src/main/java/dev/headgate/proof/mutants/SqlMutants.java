package dev.headgate.proof.mutants;

import dev.headgate.proof.mutants.Records.Caught;
import dev.headgate.proof.mutants.Trials.Catch;
import dev.headgate.proof.mutants.Trials.TestName;
import dev.headgate.proof.mutants.Trials.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The mutants of the statements of one store: what catches each, what is known not to, and what is new.
 *
 * <pre>{@code
 * SqlMutants mutants = new SqlMutants(statements, records, List.of("…StoreTest"));
 * mutants.strays();   // names in the records that no statement has any more
 * mutants.sample(…);  // some of them, in bounded time: with every build
 * mutants.all(…);     // each that is not known to be redundant
 * mutants.record(…);  // each that is new or whose statement has changed, and writes down what was seen
 * }</pre>
 */
public final class SqlMutants {
    /** What {@code ./check mutants} shows of all that a build says. */
    private static final String MARK = "mutants: ";

    private static final int SAMPLE = 20;
    private static final int NEW_MAX = 4;
    private static final int TOLD_MAX = 10;
    private static final Duration SAMPLE_TIME = Duration.ofSeconds(40);
    private static final long SECONDS_MAX = 3600;
    private static final long MINUTES_MAX = 300;

    private final Path statements;
    private final Records records;
    private final List<String> classes;
    private final List<SqlMutant> mutants = new ArrayList<>();
    private final Map<String, String> texts = new TreeMap<>();
    private final Map<String, Set<String>> readers;
    private final Map<String, Caught> caught;
    private final Map<String, String> redundant;
    private final StatementLoader loader = new StatementLoader();
    private @Nullable Trials trials;
    private @Nullable TestProfiles profiles;

    /**
     * @param statements the folder of the statement files
     * @param records the folder of what is known of them
     * @param classes the names of the test classes that may notice
     */
    public SqlMutants(Path statements, Path records, List<String> classes) {
        this.statements = statements;
        this.records = new Records(records);
        this.classes = classes;
        readers = this.records.readers();
        caught = this.records.caught();
        redundant = this.records.redundant();
        readStatements();
    }

    private void readStatements() {
        try (Stream<Path> files = Files.list(statements)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".sql", "");
                String text = Files.readString(file);
                texts.put(name, text);
                mutants.addAll(SqlScan.mutants(name, text));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** All of them. */
    public List<SqlMutant> mutants() {
        return mutants;
    }

    /** Guards that are listed as redundant and stand in no statement: the list must follow the statements. */
    public List<String> strays() {
        Set<String> names = new LinkedHashSet<>();
        mutants.forEach(mutant -> names.add(mutant.name()));
        return redundant.keySet().stream().filter(name -> !names.contains(name)).toList();
    }

    /**
     * Does what the system property {@code sqlmutants} says: {@code all}, {@code record} or, without it, a sample. Answers what
     * must not survive and did. {@code sqlmutants.only} leaves only mutants with this text in their names, {@code sqlmutants.listed} records those
     * that are listed as redundant, too, {@code sqlmutants.minutes} ends a run earlier, and {@code sqlmutants.known} trusts the list of readers
     * instead of finding out anew which test reads what.
     */
    public List<SqlMutant> run() {
        String only = System.getProperty("sqlmutants.only", "");
        Duration most = Duration.ofMinutes(Long.getLong("sqlmutants.minutes", MINUTES_MAX));
        return switch (System.getProperty("sqlmutants", "sample")) {
            case "record" -> record(only, Boolean.getBoolean("sqlmutants.listed"), most);
            case "all" -> all(only, most);
            default -> sample(SAMPLE, SAMPLE_TIME);
        };
    }

    /** What caught a mutant, and whether all that could notice was asked. */
    private record MutantResult(SqlMutant mutant, @Nullable Catch by, boolean isComplete) {}

    /**
     * Some that a test has caught before, other ones whenever a statement changes, and a few that are new. Answers which of the first
     * survived; all else is told.
     *
     * @param count how many at most
     * @param most when this time is over no further one is begun, and no further test of the last
     */
    public List<SqlMutant> sample(int count, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        BooleanSupplier isOver = () -> System.nanoTime() - end > 0;
        int salt = texts.hashCode();
        List<SqlMutant> mixed = mutants.stream()
                .filter(mutant -> !redundant.containsKey(mutant.name()))
                .sorted(Comparator.comparingInt(mutant -> mix(mutant.name().hashCode() ^ salt)))
                .toList();
        List<SqlMutant> chosen = new ArrayList<>();
        mixed.stream()
                .filter(mutant -> caught.containsKey(mutant.name()))
                .limit(count)
                .forEach(chosen::add);
        mixed.stream()
                .filter(mutant -> !caught.containsKey(mutant.name()))
                .limit(NEW_MAX)
                .forEach(chosen::add);
        tellWhatIsNew();
        List<MutantResult> results = new ArrayList<>();
        for (SqlMutant mutant : chosen) {
            if (!isOver.getAsBoolean()) {
                results.add(judge(mutant, isOver));
            }
        }
        tell(results);
        return survivors(results).stream()
                .filter(mutant -> caught.containsKey(mutant.name()))
                .toList();
    }

    /** Near numbers lie far apart afterwards. */
    static int mix(int number) {
        int mixed = number * 0x9E3779B9;
        return mixed ^ (mixed >>> 15);
    }

    private void tellWhatIsNew() {
        List<SqlMutant> unknown = mutants.stream()
                .filter(mutant -> !caught.containsKey(mutant.name()) && !redundant.containsKey(mutant.name()))
                .toList();
        unknown.stream().limit(TOLD_MAX).forEach(mutant -> say("new: " + mutant));
        if (!unknown.isEmpty()) {
            say("%d guards are new; ./check mutants --sql record writes down what catches them"
                    .formatted(unknown.size()));
        }
        mutants.stream()
                .map(SqlMutant::statement)
                .distinct()
                .filter(statement -> !readers.containsKey(statement))
                .forEach(statement -> say("no contract is known to read this statement: " + statement));
    }

    /**
     * Each that is not listed as redundant. Answers which survived.
     *
     * @param most when this time is over no further one is begun
     */
    public List<SqlMutant> all(String only, Duration most) {
        tellWhatIsNew();
        long end = System.nanoTime() + most.toNanos();
        profiles = new TestProfiles(trials(), loader);
        List<MutantResult> results = new ArrayList<>();
        for (SqlMutant mutant : mutants) {
            boolean isMeant = mutant.name().contains(only) && !redundant.containsKey(mutant.name());
            if (isMeant && System.nanoTime() - end < 0) {
                results.add(judge(mutant, limit()));
            }
        }
        tell(results);
        return survivors(results);
    }

    /**
     * Finds out which contracts read each statement and what catches each mutant that is new or whose statement has changed since it was
     * caught, and writes it down. One that is ended goes on where it was, the next time.
     *
     * @param isListed whether those that are listed as redundant are tried as well
     * @param most when this time is over no further one is begun
     */
    public List<SqlMutant> record(String only, boolean isListed, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        if (!Boolean.getBoolean("sqlmutants.known")) {
            TestProfiles found = new TestProfiles(trials(), loader);
            profiles = found;
            readers.clear();
            readers.putAll(found.readers());
            records.writeReaders(readers);
        }
        Set<String> names = new LinkedHashSet<>();
        mutants.forEach(mutant -> names.add(mutant.name()));
        caught.keySet().retainAll(names);
        List<MutantResult> results = new ArrayList<>();
        for (SqlMutant mutant : mutants) {
            boolean isMeant = mutant.name().contains(only) && (isListed || !redundant.containsKey(mutant.name()));
            if (!isMeant || isStillCaught(mutant) || System.nanoTime() - end > 0) {
                continue;
            }
            MutantResult result = judge(mutant, limit());
            results.add(result);
            if (result.by() == null) {
                caught.remove(mutant.name());
            } else if (result.by().way() != Way.STILLBORN) {
                caught.put(mutant.name(), new Caught(result.by().test(), digest(mutant)));
            }
            records.writeCaught(caught); // after each: what was found is not lost with the rest
        }
        tell(results);
        for (MutantResult result : results) {
            if (result.by() != null && redundant.containsKey(result.mutant().name())) {
                say("listed as redundant, and caught: " + result.mutant());
            }
        }
        return survivors(results);
    }

    private boolean isStillCaught(SqlMutant mutant) {
        Caught before = caught.get(mutant.name());
        return before != null && before.digest().equals(digest(mutant));
    }

    /** A number for the statement as it is written: the same as long as nothing but its comments and lines change. */
    private String digest(SqlMutant mutant) {
        String text = Objects.requireNonNull(texts.get(mutant.statement()));
        CRC32 sum = new CRC32();
        sum.update(SqlScan.words(text).getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(sum.getValue());
    }

    /** So many seconds for each, if {@code sqlmutants.seconds} says so; then one that nothing has noticed yet is not judged. */
    private static BooleanSupplier limit() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("sqlmutants.seconds", SECONDS_MAX));
        return () -> System.nanoTime() - end > 0;
    }

    private MutantResult judge(SqlMutant mutant, BooleanSupplier isOver) {
        Set<TestName> asked = new LinkedHashSet<>();
        Caught known = caught.get(mutant.name());
        Catch by = null;
        if (known != null) {
            asked.add(known.test());
            by = run(mutant, asked, () -> false);
        }
        if (by == null) { // what caught the guard beside it may well catch this one
            Set<TestName> near = new LinkedHashSet<>();
            caught.forEach((name, other) -> {
                if (name.startsWith(mutant.statement() + ":")) {
                    near.add(other.test());
                }
            });
            near.removeAll(asked);
            by = run(mutant, near, isOver);
            asked.addAll(near);
        }
        for (List<TestName> others : by == null ? portions(mutant, asked) : List.<List<TestName>>of()) {
            by = run(mutant, others, isOver);
            if (by != null || isOver.getAsBoolean()) {
                break;
            }
        }
        MutantResult result = new MutantResult(mutant, by, by != null || !isOver.getAsBoolean());
        if (by == null) {
            say((result.isComplete() ? "survived: " : "not judged in time: ") + mutant);
        } else if (by.way() != Way.RED) {
            say("%s: %s, by %s: %s".formatted(by.way().name().toLowerCase(Locale.ROOT), mutant, by.test(), by.what()));
        }
        return result;
    }

    /** The tests that read its statement: the quickest first if that is known, else by contracts. */
    private List<List<TestName>> portions(SqlMutant mutant, Set<TestName> asked) {
        if (profiles != null) {
            return profiles.reading(mutant.statement(), asked);
        }
        return contracts(mutant).stream()
                .map(contract -> trials().all().stream()
                        .filter(test -> test.contract().equals(contract) && !asked.contains(test))
                        .toList())
                .toList();
    }

    /** Those that read its statement, all if none is known to: first those that have caught most. */
    private List<String> contracts(SqlMutant mutant) {
        Map<String, Integer> catches = new TreeMap<>();
        trials().all().forEach(test -> catches.put(test.contract(), 0));
        Set<String> known = readers.get(mutant.statement());
        if (known != null) {
            Set<String> listed = new LinkedHashSet<>();
            readers.values().forEach(listed::addAll);
            catches.keySet()
                    .removeIf(contract -> listed.contains(contract) && !known.contains(contract)); // new ones stay
        }
        caught.values().forEach(by -> catches.computeIfPresent(by.test().contract(), (name, count) -> count + 1));
        return catches.keySet().stream()
                .sorted(Comparator.comparing(catches::get, Comparator.reverseOrder()))
                .toList();
    }

    private static List<SqlMutant> survivors(List<MutantResult> results) {
        return results.stream()
                .filter(result -> result.by() == null && result.isComplete())
                .map(MutantResult::mutant)
                .toList();
    }

    private void tell(List<MutantResult> results) {
        long red = count(results, Way.RED);
        long hung = count(results, Way.HUNG);
        long stillborn = count(results, Way.STILLBORN);
        say(
                "%d guards in %d statements; %d tried: %d caught, %d of them by a limit of time, %d that the database refuses, %d survived; %d are listed as redundant"
                        .formatted(
                                mutants.size(),
                                mutants.stream()
                                        .map(SqlMutant::statement)
                                        .distinct()
                                        .count(),
                                results.size(),
                                red + hung,
                                hung,
                                stillborn,
                                survivors(results).size(),
                                redundant.size()));
    }

    private static long count(List<MutantResult> results, Way way) {
        return results.stream()
                .filter(result -> result.by() != null && result.by().way() == way)
                .count();
    }

    private @Nullable Catch run(SqlMutant mutant, Collection<TestName> tests, BooleanSupplier isOver) {
        loader.plant(mutant);
        try {
            return trials().run(tests, isOver);
        } finally {
            loader.plant(null);
        }
    }

    private Trials trials() {
        Trials made = trials;
        if (made == null) {
            made = new Trials(loader, classes);
            trials = made;
        }
        return made;
    }

    private static void say(String line) {
        System.out.println(MARK + line);
    }
}
