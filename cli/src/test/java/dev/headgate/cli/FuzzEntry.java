package dev.headgate.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where a coverage-guided fuzzer comes in: {@code -Dfuzz.target=LIMITS} names what it reads. */
public final class FuzzEntry {
    private static final FuzzTarget TARGET = FuzzTarget.valueOf(System.getProperty("fuzz.target", "LIMITS"));

    private FuzzEntry() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws Exception {
        TARGET.judge(new String(bytes, StandardCharsets.UTF_8));
    }

    /** Writes what each reader understands into a folder of its own: from nothing, a fuzzer would first have to find words. */
    public static void main(String[] work) throws IOException {
        for (FuzzTarget target : FuzzTarget.values()) {
            Path corpus = Files.createDirectories(Path.of(work[0], target.name()));
            List<String> seeds = target.seeds();
            for (int i = 0; i < seeds.size(); i++) {
                Files.writeString(corpus.resolve("seed-" + i), seeds.get(i));
            }
        }
    }
}
