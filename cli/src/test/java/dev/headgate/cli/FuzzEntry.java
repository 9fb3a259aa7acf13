package dev.headgate.cli;

import java.nio.charset.StandardCharsets;

/** Where a coverage-guided fuzzer comes in: {@code -Dfuzz.target=LIMITS} names what it reads. */
public final class FuzzEntry {
    private static final FuzzTarget TARGET = FuzzTarget.valueOf(System.getProperty("fuzz.target", "LIMITS"));

    private FuzzEntry() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws Exception {
        TARGET.judge(new String(bytes, StandardCharsets.UTF_8));
    }
}
