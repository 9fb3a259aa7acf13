package dev.headgate.benchmarks.provider;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A process of this program that reads commands and prints answers, a line each. It ends when its input does. */
final class Child implements AutoCloseable {
    private final Process process;
    private final Writer to;
    private final BufferedReader from;

    private Child(Process process) {
        this.process = process;
        this.to = process.outputWriter();
        this.from = process.inputReader();
    }

    static Child start(Class<?> program, List<String> options, List<String> arguments) {
        return start(List.of(), program, options, arguments);
    }

    /** @param before a command that runs another one, such as {@code nice} */
    static Child start(List<String> before, Class<?> program, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(before);
        command.addAll(
                List.of(ProcessHandle.current().info().command().orElse("java"), "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=" + System.getProperty("log", "off"),
                "-cp",
                Objects.requireNonNull(System.getProperty("java.class.path")),
                program.getName()));
        command.addAll(arguments);
        try {
            return new Child(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String read() {
        try {
            String line = from.readLine();
            if (line == null) {
                throw new IllegalStateException("a process of the benchmark has ended; expected a line from it");
            }
            return line;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String ask(String command) {
        try {
            to.write(command + "\n");
            to.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return read();
    }

    @Override
    public void close() {
        try {
            to.close();
            process.waitFor();
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
