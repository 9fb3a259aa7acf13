package dev.headgate.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Small commands of the system. */
final class Shell {
    private Shell() {}

    /** What a command said, and how it ended; exit 127 if it is not there. */
    record Answer(int exit, String said) {
        boolean isGood() {
            return exit == 0;
        }
    }

    static Answer run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("%s: expected an end within a minute".formatted(command[0]));
            }
            return new Answer(process.exitValue(), said);
        } catch (IOException notThere) {
            return new Answer(127, String.valueOf(notThere.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + command[0], stopped);
        }
    }
}
