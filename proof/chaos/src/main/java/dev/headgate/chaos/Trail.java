package dev.headgate.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file to which several processes append lines. Each line is one write at the end of the file, so lines come whole and
 * survive a kill of their writer. Times in them are of the monotonic clock, which all processes of a machine share.
 */
final class Trail implements AutoCloseable {
    private final OutputStream end;

    Trail(Path file) {
        try {
            end = new FileOutputStream(file.toFile(), true);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Appends the parts and the time. */
    void add(Object... parts) {
        StringBuilder line = new StringBuilder();
        for (Object part : parts) {
            line.append(part).append(',');
        }
        line.append(System.nanoTime()).append('\n');
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        try {
            end.write(bytes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Every whole line, split. */
    static List<String[]> read(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.split(",", -1))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        try {
            end.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
