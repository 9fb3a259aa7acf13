package dev.headgate.builtin;

import dev.headgate.internal.time.Chance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A command and everything it started. A child whose parent has ended is an orphan, so on Linux the tree is also known
 * by a mark that all of it inherits in its environment. A program that drops the mark and leaves its parent escapes, as
 * a daemon means to.
 */
final class ProcessTree {
    static final String MARK = "HEADGATE_RUN";

    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Path PROC = Path.of("/proc");
    /** How many rounds to search, for a command that forks faster than it is found. */
    private static final int ROUNDS_MAX = 20;

    private final Process root;
    private final byte[] mark;

    private ProcessTree(Process root, String mark) {
        this.root = root;
        this.mark = (MARK + "=" + mark).getBytes(StandardCharsets.US_ASCII);
    }

    static ProcessTree start(ProcessBuilder builder) throws IOException {
        String mark = Chance.SYSTEM.id();
        builder.environment().put(MARK, mark);
        return new ProcessTree(builder.start(), mark);
    }

    Process root() {
        return root;
    }

    /** Asks all of it to end, waits a little, and then kills it. Does not wait if the thread is interrupted again. */
    void end() {
        Collection<ProcessHandle> living = living();
        if (living.isEmpty()) {
            return;
        }
        living.forEach(ProcessHandle::destroy);
        boolean isInterrupted = !awaitEnd(living);
        for (int round = 0; round < ROUNDS_MAX && !living.isEmpty(); round++) {
            living.forEach(ProcessHandle::destroyForcibly);
            isInterrupted |= !awaitEnd(living);
            living = living();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if the thread was interrupted meanwhile. */
    private static boolean awaitEnd(Collection<ProcessHandle> processes) {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException stubborn) {
            return true;
        } catch (InterruptedException hurry) {
            return false;
        }
    }

    private Collection<ProcessHandle> living() {
        Map<Long, ProcessHandle> found = new LinkedHashMap<>();
        Stream.concat(Stream.of(root.toHandle()), root.descendants())
                .filter(ProcessHandle::isAlive)
                .forEach(process -> found.put(process.pid(), process));
        if (Files.isDirectory(PROC)) {
            ProcessHandle.allProcesses()
                    .filter(process -> !found.containsKey(process.pid()) && isMarked(process))
                    .forEach(process -> found.put(process.pid(), process));
        }
        return found.values();
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            return contains(Files.readAllBytes(PROC.resolve(process.pid() + "/environ")), mark) && process.isAlive();
        } catch (IOException notOursOrGone) {
            return false;
        }
    }

    private static boolean contains(byte[] text, byte[] part) {
        for (int i = 0; i + part.length <= text.length; i++) {
            if (Arrays.mismatch(text, i, i + part.length, part, 0, part.length) < 0) {
                return true;
            }
        }
        return false;
    }
}
