package dev.headgate.proof.mutants;

import dev.headgate.proof.mutants.Trials.Catch;
import dev.headgate.proof.mutants.Trials.TestName;
import dev.headgate.proof.mutants.Trials.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The mutants of classes: what catches each, what is known not to, and what is new. */
final class JavaMutants {
    private static final String MARK = "mutants: ";
    /** Slower tests are not asked, because each mutant that survives waits for all that are. */
    private static final Duration TEST_MAX = Duration.ofSeconds(8);
    /** A mutant that survives so many tests of its code is taken for one that survives them all. */
    private static final int ASKED_MAX = 150;
    /** A mutant may take this many steps, and ten times as many as healthy code. */
    private static final long STEPS = 5_000_000;

    private static final int TIMES = 10;

    /** What a test does to healthy code. */
    private record Profile(BitSet sites, long steps, long nanos) {}

    private record MutantResult(
            JavaMutant mutant, boolean isReached, @Nullable Catch by) {}

    private final Areas areas;
    private final JavaRecords records;
    private final Path told;
    private final List<JavaMutant> mutants;
    private final Map<String, String> digests;
    private final Map<String, TestName> caught;
    private final Map<String, String> redundant;
    private final Trials trials;
    private final Map<TestName, Profile> profiles = new LinkedHashMap<>();

    /**
     * @param classes the folder of the classes that are changed
     * @param tests the folders of the test classes that may notice
     * @param records the folder of what is known
     * @param told the file that {@link #all} writes survivors to
     */
    JavaMutants(Areas areas, Path classes, List<Path> tests, Path records, Path told) {
        this.areas = areas;
        this.told = told;
        Weaver weaver = new Weaver();
        WovenLoader loader = new WovenLoader(classes, tests, weaver, areas::isChosen);
        mutants = weaver.mutants();
        digests = weaver.digests();
        this.records = new JavaRecords(records, digests);
        caught = this.records.caught();
        redundant = this.records.redundant();
        trials = new Trials(loader, areas.tests(tests));
    }

    /** What is listed as redundant and stands nowhere any more. */
    List<String> strays() {
        Set<String> names = new LinkedHashSet<>();
        mutants.forEach(mutant -> names.add(mutant.name()));
        return redundant.keySet().stream().filter(name -> !names.contains(name)).toList();
    }

    /** How many are known to be caught, in code that is as it was then. */
    int known() {
        return caught.size();
    }

    /** Some that a test has caught before, other ones whenever any code changes. Returns which survived. */
    List<JavaMutant> sample(int count, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        List<MutantResult> results = new ArrayList<>();
        for (int index : mixed(digests.hashCode(), mutant -> caught.containsKey(mutant.name()))) {
            if (results.size() < count && System.nanoTime() - end < 0) {
                TestName test = caught.get(mutants.get(index).name());
                profile(test);
                results.add(judge(index, List.of(test)));
            }
        }
        tell(results);
        return survivors(results);
    }

    /**
     * Each that is not listed as redundant, in an order that is mixed: what was judged when time is over stands for the rest. Returns
     * which survived although a test has caught them before.
     *
     * @param only an area, or part of the names of those to judge
     * @param isRecorded whether what catches them is written down. Then those known to be caught, in code that has not changed since,
     *     count as caught and are not tried again: one that was ended goes on the next time
     * @param most when this time is over no further one is begun
     */
    List<JavaMutant> all(String only, boolean isRecorded, Duration most) {
        trials.all().forEach(this::profile);
        profiles.values().removeIf(profile -> profile.nanos() > TEST_MAX.toNanos());
        long end = System.nanoTime() + most.toNanos();
        List<MutantResult> results = new ArrayList<>();
        List<JavaMutant> missed = new ArrayList<>();
        for (int index : mixed(0, mutant -> isMeant(mutant, only) && !redundant.containsKey(mutant.name()))) {
            if (System.nanoTime() - end > 0) {
                break;
            }
            JavaMutant mutant = mutants.get(index);
            TestName known = caught.get(mutant.name());
            boolean isKept = isRecorded && known != null;
            MutantResult result = isKept
                    ? new MutantResult(mutant, true, new Catch(known, Way.RED, "as known"))
                    : judge(index, reaching(mutant));
            results.add(result);
            if (result.by() != null) {
                caught.put(mutant.name(), result.by().test());
            } else if (caught.remove(mutant.name()) != null) {
                missed.add(mutant);
            }
            if (isRecorded && !isKept) {
                records.write(caught); // after each: what was found is not lost with the rest
            }
        }
        tell(results);
        write(results);
        // What a mutant left behind, such as in a static field, would make red what nothing has caught.
        profiles.keySet().forEach(trials::healthy);
        return isRecorded ? List.of() : missed;
    }

    private boolean isMeant(JavaMutant mutant, String only) {
        return areas.names().contains(only)
                ? areas.of(mutant).equals(only)
                : mutant.name().contains(only);
    }

    private List<Integer> mixed(int salt, Predicate<JavaMutant> isMeant) {
        return IntStream.range(0, mutants.size())
                .filter(index -> isMeant.test(mutants.get(index)))
                .boxed()
                .sorted(Comparator.comparingInt(
                        index -> SqlMutants.mix(mutants.get(index).name().hashCode() ^ salt)))
                .toList();
    }

    /** First what caught this mutant before, then what has caught most of its class, then the quickest of each contract by turns. */
    private List<TestName> reaching(JavaMutant mutant) {
        Map<TestName, Integer> catches = new HashMap<>();
        caught.forEach((name, test) -> {
            if (name.startsWith(mutant.type())) {
                catches.merge(test, name.equals(mutant.name()) ? mutants.size() : 1, Integer::sum);
            }
        });
        List<TestName> quickest = profiles.keySet().stream()
                .filter(test -> profiles.get(test).sites().get(mutant.site()))
                .sorted(Comparator.comparingLong(test -> profiles.get(test).nanos()))
                .toList();
        Map<String, Integer> places = new HashMap<>();
        Map<TestName, Integer> turns = new HashMap<>();
        quickest.forEach(test -> turns.put(test, places.merge(test.contract(), 1, Integer::sum)));
        return quickest.stream()
                .sorted(Comparator.comparing((TestName test) -> catches.getOrDefault(test, 0))
                        .reversed()
                        .thenComparing(turns::get))
                .limit(ASKED_MAX)
                .toList();
    }

    private void profile(TestName test) {
        profiles.computeIfAbsent(test, name -> {
            Switch.begin(mutants.size());
            long from = System.nanoTime();
            trials.healthy(test);
            return new Profile(Switch.reached(), Switch.steps(), System.nanoTime() - from);
        });
    }

    private MutantResult judge(int index, List<TestName> tests) {
        JavaMutant mutant = mutants.get(index);
        Catch by = null;
        for (TestName test : tests) {
            Switch.begin(
                    index, mutants.size(), STEPS + TIMES * profiles.get(test).steps());
            try {
                by = trials.run(List.of(test), () -> false);
            } catch (OutOfMemoryError endless) {
                by = new Catch(test, Way.HUNG, "no memory is left");
            } finally {
                Switch.end();
            }
            if (by != null) {
                break;
            }
        }
        if (by == null || by.way() == Way.HUNG) {
            say((by != null ? "hung: " : tests.isEmpty() ? "not reached: " : "survived: ") + mutant);
        }
        return new MutantResult(mutant, !tests.isEmpty(), by);
    }

    private static List<JavaMutant> survivors(List<MutantResult> results) {
        return results.stream()
                .filter(result -> result.by() == null)
                .map(MutantResult::mutant)
                .toList();
    }

    private void tell(List<MutantResult> results) {
        for (String area : areas.names()) {
            List<MutantResult> here = results.stream()
                    .filter(result -> areas.of(result.mutant()).equals(area))
                    .toList();
            int survived = survivors(here).size();
            long unreached = here.stream().filter(result -> !result.isReached()).count();
            if (!here.isEmpty()) {
                say("%-9s %4d tried: %4d caught (%d %%), %3d survived, %d of them in code that no test reaches"
                        .formatted(
                                area,
                                here.size(),
                                here.size() - survived,
                                (here.size() - survived) * 100 / here.size(),
                                survived,
                                unreached));
            }
        }
        say("%d mutants of %d methods; %d tests may notice; %d are known to be caught, %d are listed as redundant"
                .formatted(mutants.size(), digests.size(), trials.all().size(), caught.size(), redundant.size()));
    }

    private void write(List<MutantResult> results) {
        List<String> lines =
                survivors(results).stream().map(JavaMutant::toString).sorted().toList();
        try {
            Files.write(told, lines);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        say("survivors are listed in " + told);
    }

    private static void say(String line) {
        System.out.println(MARK + line);
    }
}
