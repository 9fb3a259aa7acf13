package dev.headgate.cli.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One play: a server, and the client's process. */
final class Stage implements AutoCloseable {
    static final String QUEUE = "check";
    static final String TYPE = "check";
    static final int LEASE = 3_000;
    private static final int START_MAX = 30_000;

    final PlayedServer server;
    private final Process process;
    private final Path output;

    Stage(List<String> command) throws IOException {
        this.server = new PlayedServer();
        this.output = Files.createTempFile("headgate-client", ".out");
        ProcessBuilder builder = new ProcessBuilder(command.stream()
                .map(word -> word.replace("{url}", server.url()).replace("{token}", PlayedServer.TOKEN))
                .toList());
        builder.environment().put("HEADGATE_URL", server.url());
        builder.environment().put("HEADGATE_TOKEN", PlayedServer.TOKEN);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        try {
            this.process = builder.start();
        } catch (IOException none) {
            server.close();
            Files.deleteIfExists(output);
            throw none;
        }
    }

    long offer(String payload) {
        return server.offer(payload, null);
    }

    /** Waits until the client has taken its first turn. */
    void begin() throws InterruptedException {
        await("a registration and a turn", START_MAX, () -> server.seen.stream().anyMatch(each -> each.is("turn")));
    }

    /** Waits for this, or fails with what was expected. */
    void await(String expected, int millis, BooleanSupplier isThere) throws InterruptedException {
        synchronized (server) {
            long end = server.millis() + millis;
            while (!isThere.getAsBoolean()) {
                checkFaults();
                if (server.millis() >= end || !process.isAlive()) {
                    throw new ClientFault("no %s within %d ms; %s".formatted(expected, millis, state()));
                }
                server.wait(20);
            }
        }
    }

    /** Lets this time pass. */
    void watch(int millis) throws InterruptedException {
        synchronized (server) {
            for (long end = server.millis() + millis; server.millis() < end; ) {
                server.wait(Math.max(1, end - server.millis()));
            }
        }
    }

    /** Waits for the outcome of a job, which must be this one. */
    JsonNode awaitOutcome(long job, int millis, String... expected) throws InterruptedException {
        List<String> any = List.of(expected);
        await("outcome of job " + job, millis, () -> server.outcomes.containsKey(job));
        synchronized (server) {
            JsonNode ended = Objects.requireNonNull(server.outcomes.get(job));
            String outcome = ended.path("outcome").asString("");
            if (!any.contains(outcome)) {
                throw new ClientFault("outcome '%s' of job %d, where %s was expected"
                        .formatted(outcome, job, String.join(" or ", any)));
            }
            return ended;
        }
    }

    /** Fails if something was wrong with any request. */
    void checkFaults() {
        synchronized (server) {
            if (!server.faults.isEmpty()) {
                throw new ClientFault(server.faults.getFirst());
            }
        }
    }

    List<Seen> requests(String... acts) {
        synchronized (server) {
            List<String> any = List.of(acts);
            return server.seen.stream().filter(each -> any.contains(each.act())).toList();
        }
    }

    void plan(PlayedServer.Plan plan) {
        synchronized (server) {
            server.plan = plan;
        }
    }

    /** Asks the process to end, as a service manager does. */
    void terminate() {
        process.destroy();
    }

    /** Sends a signal that Java has no method for, such as STOP. */
    void signal(String name) throws InterruptedException {
        List<Long> pids = new ArrayList<>(List.of(process.pid()));
        process.descendants().forEach(child -> pids.add(child.pid()));
        for (Long pid : pids) {
            try {
                new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                        .start()
                        .waitFor();
            } catch (IOException none) {
                throw new UncheckedIOException(none);
            }
        }
    }

    /** Waits for the end of the process, and returns its exit code. */
    int awaitExit(int millis) throws InterruptedException {
        if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            throw new ClientFault("still running %d ms after SIGTERM".formatted(millis));
        }
        return process.exitValue();
    }

    private String state() {
        String end = process.isAlive() ? "it runs" : "it has ended with exit code " + process.exitValue();
        String said = lastLine();
        return said.isEmpty() ? end : "%s, and said: %s".formatted(end, said);
    }

    private String lastLine() {
        try (Stream<String> lines = Files.lines(output)) {
            return lines.filter(line -> !line.isBlank())
                    .reduce((before, line) -> line)
                    .orElse("")
                    .strip();
        } catch (IOException | UncheckedIOException unreadable) {
            return "";
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        server.close();
        try {
            Files.deleteIfExists(output);
        } catch (IOException left) {
            output.toFile().deleteOnExit();
        }
    }
}
