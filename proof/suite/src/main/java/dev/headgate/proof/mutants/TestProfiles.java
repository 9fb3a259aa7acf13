package dev.headgate.proof.mutants;

import dev.headgate.proof.mutants.Trials.TestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which tests read a statement, and how long each takes: found by running all of them once on healthy statements. */
final class TestProfiles {
    /** Tests are run in portions: a list as long as all tests takes longer to look up than the first red test takes to run. */
    private static final int PORTION = 8;

    private record Profile(Set<String> statements, long nanos) {}

    private final Map<TestName, Profile> profiles = new LinkedHashMap<>();

    TestProfiles(Trials trials, StatementLoader loader) {
        for (TestName test : trials.all()) {
            loader.taken();
            long from = System.nanoTime();
            trials.healthy(test);
            profiles.put(test, new Profile(loader.taken(), System.nanoTime() - from));
        }
    }

    /** By statement, the contracts that read it. */
    Map<String, Set<String>> readers() {
        Map<String, Set<String>> found = new TreeMap<>();
        profiles.forEach((test, profile) -> profile.statements()
                .forEach(statement -> found.computeIfAbsent(statement, name -> new TreeSet<>())
                        .add(test.contract())));
        return found;
    }

    /** The tests that read this statement, the quickest of each contract by turns, in portions. */
    List<List<TestName>> reading(String statement, Set<TestName> asked) {
        List<TestName> quickest = profiles.entrySet().stream()
                .filter(entry -> !asked.contains(entry.getKey()))
                .filter(entry -> entry.getValue().statements().contains(statement))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().nanos()))
                .map(Map.Entry::getKey)
                .toList();
        Map<String, Integer> places = new HashMap<>();
        Map<TestName, Integer> turns = new HashMap<>();
        quickest.forEach(test -> turns.put(test, places.merge(test.contract(), 1, Integer::sum)));
        List<TestName> ordered = quickest.stream()
                .sorted(Comparator.comparingInt(test -> turns.getOrDefault(test, 0)))
                .toList();
        List<List<TestName>> portions = new ArrayList<>();
        for (int from = 0; from < ordered.size(); from += PORTION) {
            portions.add(ordered.subList(from, Math.min(from + PORTION, ordered.size())));
        }
        return portions;
    }
}
