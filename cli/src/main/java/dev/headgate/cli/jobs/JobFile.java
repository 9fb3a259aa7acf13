package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import dev.headgate.internal.json.JsonCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with a job on each line; standard input is copied into one. Lines are read one by one, and a huge line is
 * never read whole.
 */
final class JobFile implements AutoCloseable {
    /** The largest payload, and space for everything else on a line. */
    private static final int LINE_LENGTH_MAX = JsonCodec.BYTES_MAX + 64 * 1024;

    private final String name;
    private final Path path;
    private final boolean isTemporary;

    private JobFile(String name, Path path, boolean isTemporary) {
        this.name = name;
        this.path = path;
        this.isTemporary = isTemporary;
    }

    /** Receives the lines that are not blank, with their numbers from 1. */
    interface Taker {
        /**
         * Returns false to stop.
         *
         * @param isTooLong whether the line is longer than any job can be; then {@code text} is only its beginning
         */
        boolean take(long number, String text, boolean isTooLong);
    }

    static JobFile open(String name, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            return new JobFile("standard input", Payloads.spool(standardInput), true);
        }
        Path path = Path.of(name);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw CommandException.usage(
                    "--from: expected a file that can be read, found none at '%s'".formatted(name));
        }
        return new JobFile(name, path, false);
    }

    String name() {
        return name;
    }

    /** Passes on the lines behind the first {@code skip} until the taker stops; returns the number of the last. */
    long each(long skip, Taker taker) throws IOException {
        long number = 0;
        try (BufferedReader reader = Files.newBufferedReader(path)) {
            StringBuilder line = new StringBuilder();
            while (true) {
                line.setLength(0);
                int length = readLine(reader, line);
                if (length < 0) {
                    return number;
                }
                number++;
                boolean isWanted = number > skip
                        && !(length <= LINE_LENGTH_MAX && line.toString().isBlank());
                if (isWanted && !taker.take(number, line.toString(), length > LINE_LENGTH_MAX)) {
                    return number;
                }
            }
        } catch (CharacterCodingException notUtf8) {
            throw CommandException.usage(
                    "%s: expected UTF-8 text, found other bytes after line %d".formatted(name, number));
        }
    }

    /** Returns the length of the line, of which it keeps only as much as a job can have; -1 at the end. */
    private static int readLine(BufferedReader reader, StringBuilder line) throws IOException {
        int length = 0;
        int next = reader.read();
        if (next < 0) {
            return -1;
        }
        for (; next >= 0 && next != '\n'; next = reader.read()) {
            if (length <= LINE_LENGTH_MAX) {
                line.append((char) next);
                length++;
            }
        }
        return length;
    }

    @Override
    public void close() throws IOException {
        if (isTemporary) {
            Files.deleteIfExists(path);
        }
    }
}
