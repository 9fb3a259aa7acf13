package dev.headgate.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a terminal of its own, and its keyboard. Made by {@code script} of util-linux. */
final class Pty implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Process process;
    private final Writer keyboard;
    private final StringBuilder shown = new StringBuilder();
    private int seen;
    private boolean isOver;

    /** Runs it in a window of 30 rows and 100 columns. */
    Pty(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        this.folder = folder;
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.headgate.cli.Main"));
        java.addAll(List.of(arguments));
        String command =
                String.join(" ", java.stream().map(word -> "'" + word + "'").toList());
        Path shell = folder.resolve("shell");
        // Ctrl-C is for the whole terminal; the shell must live to see what is left of it. It has no job control, which
        // would
        // set the terminal right by itself.
        Files.writeString(shell, """
                trap : INT TERM
                stty rows 30 cols 100
                tty >device
                stty -g >before
                sh -c 'echo $$ >pid; exec "$@"' top %s 2>complaints
                exit=$?
                stty -g >after
                echo "exit=$exit"
                """.formatted(command));
        ProcessBuilder builder = new ProcessBuilder("script", "-qfec", "bash --norc shell", "typescript")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "TERM",
                        "xterm",
                        "HEADGATE_COLUMNS",
                        "100",
                        "HEADGATE_ERROR_COLUMNS",
                        "0",
                        "HEADGATE_ROWS",
                        "30"));
        builder.environment().putAll(environment);
        process = builder.start();
        keyboard = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        try (InputStream out = process.getInputStream()) {
            byte[] some = new byte[8_192];
            for (int count = out.read(some); count >= 0; count = out.read(some)) {
                hear(new String(some, 0, count, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException closed) {
            // It was ended.
        }
        hear("");
        synchronized (this) {
            isOver = true;
            notifyAll();
        }
    }

    private synchronized void hear(String text) {
        shown.append(text);
        notifyAll();
    }

    void type(String keys) throws IOException {
        keyboard.write(keys);
        keyboard.flush();
    }

    /** Waits until this is drawn after what was waited for before, and answers what was drawn until then. */
    synchronized String await(String words) throws InterruptedException {
        String wanted = new String(words.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (shown.indexOf(wanted, seen) < 0) {
            long left = end - System.nanoTime();
            if (left <= 0 || isOver) {
                throw new AssertionError("expected '%s', got …%s".formatted(words, last().replace("\u001b", "␛")));
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        int from = seen;
        seen = shown.indexOf(wanted, seen) + wanted.length();
        return shown.substring(from, seen);
    }

    private String last() {
        return shown.substring(Math.max(seen, shown.length() - 3_000));
    }

    /** Everything that the terminal has got. */
    synchronized String all() {
        return shown.toString();
    }

    /** What it wrote into a file beside it. */
    String file(String name) throws IOException {
        return Files.readString(folder.resolve(name)).strip();
    }

    @Override
    public void close() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
    }
}
