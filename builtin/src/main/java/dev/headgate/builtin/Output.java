package dev.headgate.builtin;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * What a program writes: the beginning is kept, and every line is told as soon as it is whole. Neither a flood nor a line
 * without an end takes more memory than a few lines do. Thread-safe.
 */
final class Output {
    /** Two of them as JSON, where a byte can take six, still fit into a result of 256 KiB. */
    static final int KEPT_BYTES_MAX = 16 * 1024;

    private static final int LINE_BYTES_MAX = 2_000;

    private final Consumer<String> onLine;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isCut;
    private String lastLine = "";

    Output(Consumer<String> onLine) {
        this.onLine = onLine;
    }

    synchronized void add(byte[] bytes, int length) {
        int room = Math.min(length, KEPT_BYTES_MAX - kept.size());
        kept.write(bytes, 0, room);
        isCut |= room < length;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                tellLine();
            } else if (line.size() < LINE_BYTES_MAX) {
                line.write(bytes[i]);
            }
        }
    }

    /** There is no more: what stands behind the last line feed is a line too. */
    synchronized void end() {
        if (line.size() > 0) {
            tellLine();
        }
    }

    private void tellLine() {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        if (!text.isEmpty()) {
            lastLine = text;
            onLine.accept(text);
        }
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8).replace('\0', '\uFFFD');
    }

    synchronized boolean isCut() {
        return isCut;
    }

    synchronized String lastLine() {
        return lastLine;
    }
}
