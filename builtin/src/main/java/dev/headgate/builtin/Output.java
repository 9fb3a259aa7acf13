package dev.headgate.builtin;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
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

    private final Redaction secrets;
    private final Consumer<String> onLine;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isCut;
    private String lastLine = "";

    Output(Redaction secrets, Consumer<String> onLine) {
        this.secrets = secrets;
        this.onLine = onLine;
    }

    synchronized void add(byte[] bytes, int length) {
        // A little more than is kept, so that a value at the cut is found whole.
        int room = Math.min(length, KEPT_BYTES_MAX + secrets.lengthMax() - kept.size());
        kept.write(bytes, 0, room);
        isCut |= room < length || kept.size() > KEPT_BYTES_MAX;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                tellLine();
            } else if (line.size() < LINE_BYTES_MAX + secrets.lengthMax()) {
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
        String text = shown(line, LINE_BYTES_MAX).stripTrailing();
        line.reset();
        if (!text.isEmpty()) {
            lastLine = text;
            onLine.accept(text);
        }
    }

    synchronized String text() {
        return shown(kept, KEPT_BYTES_MAX).replace('\0', '\uFFFD');
    }

    private String shown(ByteArrayOutputStream bytes, int bytesMax) {
        KeptBody whole = new KeptBody(ByteBuffer.wrap(bytes.toByteArray()), false);
        return StandardCharsets.UTF_8
                .decode(secrets.hide(whole, bytesMax).bytes())
                .toString();
    }

    synchronized boolean isCut() {
        return isCut;
    }

    synchronized String lastLine() {
        return lastLine;
    }
}
