package dev.headgate.server.jetty;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** A body that must not come too slowly: a sender of one byte now and then would hold its connection for hours. */
final class PacedStream extends FilterInputStream {
    private static final int BYTES_PER_SECOND_MIN = 100;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final long begun = System.nanoTime();
    private long bytes;

    PacedStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        if (read > 0) {
            bytes += read;
            checkPace();
        }
        return read;
    }

    private void checkPace() throws IOException {
        long seconds = Duration.ofNanos(System.nanoTime() - begun).minus(GRACE).toSeconds();
        if (seconds > 0 && bytes / seconds < BYTES_PER_SECOND_MIN) {
            throw new IOException("expected at least %d bytes a second, got %d bytes in %d seconds"
                    .formatted(BYTES_PER_SECOND_MIN, bytes, seconds + GRACE.toSeconds()));
        }
    }
}
