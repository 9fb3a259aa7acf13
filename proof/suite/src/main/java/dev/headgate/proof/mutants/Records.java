package dev.headgate.proof.mutants;

import dev.headgate.proof.mutants.Trials.TestName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of the mutants of a store, in three files of its tests: {@code readers.txt} tells which contracts read a statement,
 * {@code caught.txt} which test caught a mutant last, and {@code redundant.txt}, which is written by hand, why nothing can notice
 * that a guard is gone.
 */
final class Records {
    private static final String BY = " => ";
    private static final String OF = " @";
    private static final String HEADER = "# Written by ./check mutants --sql record, never by hand.\n";

    private final Path folder;

    Records(Path folder) {
        this.folder = folder;
    }

    /** The contracts that read each statement. */
    Map<String, Set<String>> readers() {
        Map<String, Set<String>> readers = new TreeMap<>();
        for (String line : lines("readers.txt")) {
            int colon = line.indexOf(':');
            readers.put(
                    line.substring(0, colon),
                    new TreeSet<>(List.of(line.substring(colon + 1).strip().split(" ", -1))));
        }
        return readers;
    }

    void writeReaders(Map<String, Set<String>> readers) {
        StringBuilder text = new StringBuilder(HEADER);
        readers.forEach((statement, contracts) -> text.append(statement)
                .append(": ")
                .append(String.join(" ", contracts))
                .append('\n'));
        write("readers.txt", text);
    }

    /**
     * The test that caught a mutant.
     *
     * @param digest a number for the text of the statement at that time; empty if it is not known
     */
    record Caught(TestName test, String digest) {}

    /** By mutant, what caught it. */
    Map<String, Caught> caught() {
        Map<String, Caught> caught = new TreeMap<>();
        for (String line : lines("caught.txt")) {
            int by = line.lastIndexOf(BY);
            String test = line.substring(by + BY.length());
            int of = test.indexOf(OF);
            caught.put(
                    line.substring(0, by),
                    new Caught(
                            TestName.parse(of < 0 ? test : test.substring(0, of)),
                            of < 0 ? "" : test.substring(of + OF.length())));
        }
        return caught;
    }

    void writeCaught(Map<String, Caught> caught) {
        StringBuilder text = new StringBuilder(HEADER);
        new TreeMap<>(caught)
                .forEach((mutant, by) -> text.append(mutant)
                        .append(BY)
                        .append(by.test())
                        .append(by.digest().isEmpty() ? "" : OF + by.digest())
                        .append('\n'));
        write("caught.txt", text);
    }

    /** By mutant, why nothing notices it. Lines that are not indented are mutants; what is indented below is the reason for all of them. */
    Map<String, String> redundant() {
        Map<String, String> redundant = new LinkedHashMap<>();
        List<String> mutants = new ArrayList<>();
        StringBuilder reason = new StringBuilder();
        List<String> lines = new ArrayList<>(lines("redundant.txt"));
        lines.add("end");
        for (String line : lines) {
            if (line.startsWith(" ")) {
                reason.append(reason.isEmpty() ? "" : " ").append(line.strip());
                continue;
            }
            if (!reason.isEmpty()) {
                mutants.forEach(mutant -> redundant.put(mutant, reason.toString()));
                mutants.clear();
                reason.setLength(0);
            }
            mutants.add(line);
        }
        mutants.removeLast();
        if (!mutants.isEmpty()) {
            throw new AssertionError("%s/redundant.txt: no reason for %s".formatted(folder, mutants));
        }
        return redundant;
    }

    List<String> lines(String file) {
        Path path = folder.resolve(file);
        try {
            return Files.exists(path)
                    ? Files.readAllLines(path).stream()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .toList()
                    : List.of();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    void write(String file, CharSequence text) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(file), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
