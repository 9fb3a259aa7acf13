package dev.headgate.proof.mutants;

import dev.headgate.proof.mutants.Trials.TestName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is known of the mutants of code: what catches them, in {@code caught.txt}, and why nothing can, in {@code redundant.txt}. */
final class JavaRecords {
    private static final String FILE = "caught.txt";
    private static final String HEADER = """
            # Written by ./check mutants --java record, never by hand.
            # method, number of its code, test: the mutants that the test catches
            """;

    private final Records files;
    private final Map<String, String> digests;

    /** @param digests by method, the number of its code: what was seen of other code is forgotten */
    JavaRecords(Path folder, Map<String, String> digests) {
        files = new Records(folder);
        this.digests = digests;
    }

    Map<String, String> redundant() {
        return files.redundant();
    }

    /** By mutant, the test that caught it. */
    Map<String, TestName> caught() {
        Map<String, TestName> caught = new TreeMap<>();
        for (String line : files.lines(FILE)) {
            List<String> words = List.of(line.replace(":", "").split(" ", -1));
            String place = words.getFirst();
            if (words.get(1).equals(digests.get(place))) {
                words.subList(3, words.size())
                        .forEach(change -> caught.put(place + " " + change, TestName.parse(words.get(2))));
            }
        }
        return caught;
    }

    void write(Map<String, TestName> caught) {
        Map<String, Set<String>> lines = new TreeMap<>();
        caught.forEach((name, test) -> {
            int space = name.indexOf(' ');
            String place = name.substring(0, space);
            lines.computeIfAbsent("%s %s %s:".formatted(place, digests.get(place), test), line -> new TreeSet<>())
                    .add(name.substring(space + 1));
        });
        StringBuilder text = new StringBuilder(HEADER);
        lines.forEach((line, changes) ->
                text.append(line).append(' ').append(String.join(" ", changes)).append('\n'));
        files.write(FILE, text);
    }
}
