package dev.headgate.sqlite.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A bug to plant: a text in a file of this checkout, and what stands there instead. The production code has no switch for
 * it; the changed copy is compiled when it is needed.
 *
 * <pre>{@code
 * An outcome counts although the lease has gone to another worker.
 * breaks: I5
 * store: memory
 * file: core/src/main/java/…
 * --- from
 * lease.epoch() == epoch
 * --- to
 * true
 * }</pre>
 *
 * @param breaks the invariants any of which must catch it
 * @param store which store the simulation runs on
 * @param seed a world in which it was found before; saves the search
 */
record Mutant(String name, String about, List<String> breaks, String store, long seed, List<Change> changes) {
    /** Of a file, given by its path in the checkout. */
    record Change(String file, String from, String to) {
        String applied(String text) {
            int at = text.indexOf(from);
            if (at < 0 || text.indexOf(from, at + 1) >= 0) {
                throw new AssertionError("%s: expected exactly once, found %s: %s"
                        .formatted(file, at < 0 ? "never" : "more than once", from));
            }
            return text.substring(0, at) + to + text.substring(at + from.length());
        }
    }

    /** The changed files, by their paths in the checkout. */
    Map<String, String> files(Path checkout) {
        Map<String, String> files = new LinkedHashMap<>();
        for (Change change : changes) {
            String before = files.computeIfAbsent(change.file(), file -> read(checkout.resolve(file)));
            files.put(change.file(), change.applied(before));
        }
        return files;
    }

    static Mutant read(Path file, String name) {
        List<String> lines = read(file).lines().toList();
        String breaks = null;
        String store = "memory";
        long seed = 1;
        List<Change> changes = new ArrayList<>();
        StringBuilder about = new StringBuilder();
        String changed = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("breaks: ")) {
                breaks = line.substring(8);
            } else if (line.startsWith("store: ")) {
                store = line.substring(7);
            } else if (line.startsWith("seed: ")) {
                seed = Long.parseLong(line.substring(6));
            } else if (line.startsWith("file: ")) {
                changed = line.substring(6);
            } else if (line.equals("--- from")) {
                int to = lines.subList(i, lines.size()).indexOf("--- to") + i;
                int end = to + 1;
                while (end < lines.size()
                        && !lines.get(end).startsWith("file: ")
                        && !lines.get(end).equals("--- from")) {
                    end++;
                }
                changes.add(new Change(
                        Objects.requireNonNull(changed, name + ": no file"),
                        String.join("\n", lines.subList(i + 1, to)),
                        String.join("\n", lines.subList(to + 1, end))));
                i = end - 1;
            } else if (!line.isBlank()) {
                about.append(about.isEmpty() ? "" : " ").append(line);
            }
        }
        return new Mutant(
                name,
                about.toString(),
                List.of(Objects.requireNonNull(breaks, name + ": breaks nothing")
                        .split(" ", -1)),
                store,
                seed,
                changes);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
