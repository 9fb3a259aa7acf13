package dev.headgate.benchmarks.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file with a line for each cell. A cell that is run again replaces its own line and leaves the others. */
final class Results {
    private static final String HEAD =
            "contender,form,provider,allows,processes,start,machine,margin,seconds,calls,refused,share %,samples,p50 ms,p99 ms,late starts,failure";
    private static final int KEYS = 8;

    private final Path file;
    private final Map<String, String> lines = new LinkedHashMap<>();

    Results(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            List<String> all = Files.readAllLines(file);
            if (!all.isEmpty() && all.getFirst().equals(HEAD)) {
                all.subList(1, all.size()).forEach(this::put);
            }
        }
    }

    private void put(String line) {
        String[] parts = line.split(",", -1);
        lines.put(String.join(",", List.of(parts).subList(0, KEYS)), line);
    }

    void add(Cell cell, int seconds, Measured found) throws IOException {
        put(String.join(",", cell.words())
                + ",%d,%d,%d,%s,%d,%s,%s,%s,"
                        .formatted(
                                seconds,
                                found.calls(),
                                found.refused(),
                                Measured.number(found.share() * 100),
                                found.samples(),
                                Measured.number(found.p50()),
                                Measured.number(found.p99()),
                                found.late() < 0 ? "" : Long.toString(found.late())));
        write();
    }

    void add(Cell cell, int seconds, String failure) throws IOException {
        put(String.join(",", cell.words())
                + ",%d,,,,,,,,%s".formatted(seconds, failure.replace(',', ';').replace('\n', ' ')));
        write();
    }

    /** All cells that were measured, also by runs before. */
    Picture picture(String title) {
        Picture picture = new Picture(title);
        for (String line : lines.values()) {
            String[] parts = line.split(",", -1);
            if (!parts[KEYS + 1].isEmpty()) {
                picture.add(
                        Cell.of(List.of(parts).subList(0, KEYS).toArray(String[]::new)),
                        new Measured(
                                Long.parseLong(parts[KEYS + 1]),
                                Long.parseLong(parts[KEYS + 2]),
                                Double.parseDouble(parts[KEYS + 3]) / 100,
                                0,
                                Double.NaN,
                                Double.NaN,
                                -1));
            }
        }
        return picture;
    }

    /** After each cell, so that a run that is stopped leaves what it has found. */
    private void write() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, HEAD + "\n" + String.join("\n", lines.values()) + "\n");
    }
}
