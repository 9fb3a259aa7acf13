package dev.headgate.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads a body of lines one by one, so that a body of any length needs the memory of one line. */
public final class LineReader {
    private final InputStream in;
    private final int bytesMax;
    private final byte[] buffer = new byte[64 * 1024];
    private int position;
    private int end;
    private long number;

    /**
     * Reads this body.
     *
     * @param bytesMax the longest line
     */
    public LineReader(InputStream in, int bytesMax) {
        this.in = in;
        this.bytesMax = bytesMax;
    }

    /** The number of the line that was read last, from 1. */
    public long number() {
        return number;
    }

    /** The next line without its end, or nothing at the end of the body. */
    public @Nullable String next() {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        boolean isBegun = false;
        while (true) {
            if (position == end && !fill()) {
                break;
            }
            isBegun = true;
            int start = position;
            while (position < end && buffer[position] != '\n') {
                position++;
            }
            line.write(buffer, start, position - start);
            if (line.size() > bytesMax) {
                number++;
                throw new ProblemException(
                        Problem.TOO_LARGE, "expected a line of at most %d bytes".formatted(bytesMax));
            }
            if (position < end) {
                position++;
                break;
            }
        }
        if (!isBegun) {
            return null;
        }
        number++;
        return BodyReader.text(line.toByteArray()).stripTrailing();
    }

    private boolean fill() {
        try {
            position = 0;
            end = Math.max(in.read(buffer), 0);
            return end > 0;
        } catch (IOException broken) {
            throw new ProblemException(
                    Problem.BAD_REQUEST, "expected the whole body, and it broke off behind line %d".formatted(number));
        }
    }
}
