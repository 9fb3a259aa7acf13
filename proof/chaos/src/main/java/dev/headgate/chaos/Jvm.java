package dev.headgate.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A process of ours that can be hurt. Thread-safe. */
final class Jvm implements AutoCloseable {
    /** Names the number of a process in its environment. */
    static final String NUMBER = "HEADGATE_CHAOS_NUMBER";

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Process process;
    private final long number;
    private final boolean isContained;
    private final CountDownLatch ready = new CountDownLatch(1);

    private Jvm(Process process, long number, boolean isContained) {
        this.process = process;
        this.number = number;
        this.isContained = isContained;
        Thread.ofVirtual().start(this::listen);
    }

    /**
     * How to start one.
     *
     * @param before commands to start it with, such as {@code strace …}
     * @param environment what else it finds in its environment
     * @param log where its standard error goes
     */
    record Launch(
            Class<?> main, List<String> arguments, List<String> before, Map<String, String> environment, Path log) {
        Launch(Class<?> main, List<String> arguments, Path log) {
            this(main, arguments, List.of(), Map.of(), log);
        }

        Jvm start() {
            List<String> command = new ArrayList<>(before);
            command.addAll(List.of(
                    Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                            .toString(),
                    "-Xmx96m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                    "-Dorg.slf4j.simpleLogger.showDateTime=true",
                    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                    "-cp",
                    Objects.requireNonNull(System.getProperty("java.class.path")),
                    main.getName()));
            command.addAll(arguments);
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            long number = NUMBERS.incrementAndGet();
            builder.environment().put(NUMBER, Long.toString(number));
            try {
                return new Jvm(builder.start(), number, before.equals(Tools.CONTAINER));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private void listen() {
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.equals("ready")) {
                    ready.countDown();
                }
            }
        } catch (IOException killed) {
            // A caller that waits finds out by the exit.
        }
    }

    long pid() {
        return process.pid();
    }

    /** Which one it is: in containers all processes have the same number of the system's. */
    long number() {
        return number;
    }

    /** The number of the process that this one is. */
    static long ownNumber() {
        String given = System.getenv(NUMBER);
        return given == null ? 0 : Long.parseLong(given);
    }

    /** Whether it is at its work. */
    boolean isReady() {
        return ready.getCount() == 0 && process.isAlive();
    }

    boolean awaitReady(long seconds) throws InterruptedException {
        return ready.await(seconds, TimeUnit.SECONDS);
    }

    /** A signal by its name, such as STOP. One that is gone already hears nothing. */
    void signal(String name) {
        Stream<ProcessHandle> inside = isContained ? process.children() : Stream.empty();
        Shell.run(
                "kill",
                "-" + name,
                Long.toString(inside.findFirst().orElse(process.toHandle()).pid()));
    }

    /** kill -9; returns when it is dead, and what it started too: a program goes on when the one that traces it is killed. */
    void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
    }

    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    boolean awaitExit(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
