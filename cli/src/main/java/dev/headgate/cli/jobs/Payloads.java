package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Payloads for many jobs. A file is read and checked whole before the first payload is used, so that a bad line at the
 * end does not leave half the file enqueued. Standard input is first copied into a temporary file.
 */
final class Payloads implements AutoCloseable {
    private static final int COUNT_MAX = 100_000_000;

    private final long size;
    private final @Nullable String repeated;
    private final @Nullable Path file;
    private final boolean isTemporary;

    private Payloads(long size, @Nullable String repeated, @Nullable Path file, boolean isTemporary) {
        this.size = size;
        this.repeated = repeated;
        this.file = file;
        this.isTemporary = isTemporary;
    }

    static Payloads repeated(String payload, int count) {
        if (count < 1 || count > COUNT_MAX) {
            throw CommandException.usage("--count: expected 1 to %d, got %d".formatted(COUNT_MAX, count));
        }
        return new Payloads(count, payload, null, false);
    }

    /** Checks every line that is not blank with its number. */
    static Payloads of(String name, InputStream standardInput, BiConsumer<Long, String> check) throws IOException {
        boolean isPiped = name.equals("-");
        Path path = isPiped ? spool(standardInput) : Path.of(name);
        try {
            return new Payloads(count(name, path, check), null, path, isPiped);
        } catch (RuntimeException | IOException failed) {
            if (isPiped) {
                Files.deleteIfExists(path);
            }
            throw failed;
        }
    }

    /** Copies standard input into a file, so that it can be read twice. */
    static Path spool(InputStream in) throws IOException {
        Path path = Files.createTempFile("headgate-enqueue", ".jsonl");
        try (var out = Files.newOutputStream(path)) {
            in.transferTo(out);
        }
        return path;
    }

    private static long count(String name, Path path, BiConsumer<Long, String> check) throws IOException {
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw CommandException.usage(
                    "--file: expected a file that can be read, found none at '%s'".formatted(name));
        }
        long line = 0;
        long payloads = 0;
        try (BufferedReader reader = Files.newBufferedReader(path)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line++;
                if (!text.isBlank()) {
                    check.accept(line, text);
                    payloads++;
                }
            }
        } catch (CharacterCodingException notUtf8) {
            throw CommandException.usage(
                    "%s: expected UTF-8 text, found other bytes after line %d; nothing was enqueued"
                            .formatted(name, line));
        }
        if (payloads == 0) {
            throw CommandException.usage("%s: expected one payload on each line, found no line".formatted(name));
        }
        return payloads;
    }

    long size() {
        return size;
    }

    /** Passes on all of them, in order. */
    void each(Consumer<String> taker) throws IOException {
        if (repeated != null) {
            for (long i = 0; i < size; i++) {
                taker.accept(repeated);
            }
        }
        if (file != null) {
            try (Stream<String> lines = Files.lines(file)) {
                lines.filter(text -> !text.isBlank()).forEach(taker);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (isTemporary && file != null) {
            Files.deleteIfExists(file);
        }
    }
}
