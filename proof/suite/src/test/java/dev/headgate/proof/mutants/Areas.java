package dev.headgate.proof.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which classes are changed, by what they do, and which tests are asked. */
final class Areas {
    private static final String ROOT = "dev.headgate.";
    private static final Map<String, Pattern> CLASSES = new LinkedHashMap<>();

    static {
        CLASSES.put("admission", Pattern.compile("(internal\\.admission|limit)\\..*"));
        CLASSES.put(
                "lease",
                Pattern.compile(
                        "internal\\.((lease|recovery)\\..*|claim\\.(Depart|EndedLeases)\\b.*|operate\\.Holds\\b.*)"));
        CLASSES.put("claim", Pattern.compile("internal\\.((claim|gate|lane)\\..*|enqueue\\.ImpossibleJobs\\b.*)"));
        CLASSES.put("budget", Pattern.compile("internal\\.run\\.BudgetLedger\\b.*"));
        CLASSES.put("schedule", Pattern.compile("schedule\\..*|internal\\.schedule\\.(DueRuns|FireSchedules)\\b.*"));
    }

    /** Tests of pure rules, and the contracts of stores on the store in memory. */
    private static final Pattern TESTS =
            Pattern.compile("(internal\\.(admission|claim|evidence|gate|lane|run|schedule)|limit|schedule)\\.\\w*Test"
                    + "|(proof\\.conformance|testkit\\.memory)\\.\\w*Test");

    List<String> names() {
        return List.copyOf(CLASSES.keySet());
    }

    boolean isChosen(String type) {
        return type.startsWith(ROOT)
                && CLASSES.values().stream()
                        .anyMatch(pattern ->
                                pattern.matcher(type.substring(ROOT.length())).matches());
    }

    String of(JavaMutant mutant) {
        return names().stream()
                .filter(name -> CLASSES.get(name).matcher(mutant.type()).matches())
                .findFirst()
                .orElseThrow();
    }

    /** The names of the test classes in these folders. */
    List<String> tests(List<Path> folders) {
        List<String> tests = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder.resolve("dev/headgate"))) {
                files.map(file -> folder.resolve("dev/headgate")
                                .relativize(file)
                                .toString()
                                .replace(".class", "")
                                .replace(file.getFileSystem().getSeparator(), "."))
                        .filter(name -> TESTS.matcher(name).matches())
                        .sorted()
                        .forEach(name -> tests.add(ROOT + name));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return tests;
    }
}
