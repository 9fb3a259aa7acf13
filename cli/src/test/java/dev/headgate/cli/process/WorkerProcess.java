package dev.headgate.cli.process;

import dev.headgate.cli.RecordingMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code headgate work} in a process of its own. */
final class WorkerProcess implements AutoCloseable {
    private final Process process;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final BlockingQueue<String> remarks = new LinkedBlockingQueue<>();
    private final List<String> heard = new ArrayList<>();

    WorkerProcess(String url, String... options) throws IOException {
        this(Map.of(), url, options);
    }

    WorkerProcess(Map<String, String> environment, String url, String... options) throws IOException {
        this(List.of(), environment, RecordingMain.class, work(url, options));
    }

    /** Any program of these tests, behind a command that starts it. */
    WorkerProcess(List<String> starter, Map<String, String> environment, Class<?> program, List<String> arguments)
            throws IOException {
        this(java(starter, program, arguments), environment);
    }

    /** Any command. */
    WorkerProcess(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        process = builder.start();
        Thread.ofVirtual().start(this::listen);
    }

    private static List<String> java(List<String> starter, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        return command;
    }

    static List<String> work(String url, String... options) {
        List<String> arguments = new ArrayList<>(List.of("work", "--store", url));
        arguments.addAll(List.of(options));
        return arguments;
    }

    private void listen() {
        try (BufferedReader said = process.errorReader(StandardCharsets.UTF_8)) {
            said.lines().forEach(remarks::add);
        } catch (IOException | UncheckedIOException closed) {
            // It was killed while it spoke.
        }
    }

    long pid() {
        return process.pid();
    }

    /** The processes it has started that live. */
    List<ProcessHandle> children() {
        return process.children().filter(ProcessHandle::isAlive).toList();
    }

    /** Waits until it says something with these words on standard error, and answers that line. */
    String awaitRemark(String words) throws InterruptedException {
        String line;
        do {
            line = remarks.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new AssertionError("expected '%s' within %s, but it said: %s"
                        .formatted(words, PATIENCE, String.join("\n", heard)));
            }
            heard.add(line);
        } while (!line.contains(words));
        return line;
    }

    /** Writes a line to its standard input. */
    void tell(String line) throws IOException {
        Writer in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(line + "\n");
        in.flush();
    }

    /** kill -9: no goodbye. Returns when the process is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM. */
    void terminate() {
        process.toHandle().destroy();
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(Duration.ofSeconds(60).toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("expected the worker to end, but it runs on");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
