package dev.headgate.builtin;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A server on the loopback interface that gives a few short answers and ends: {@link HttpCalls} calls it to load its
 * classes. Nothing leaves the machine.
 */
final class Rehearsal implements AutoCloseable {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final int CALLERS_MAX = 8;

    private final ServerSocket socket;

    /** @param patience how long to wait for the call */
    Rehearsal(Duration patience) throws IOException {
        socket = new ServerSocket(0, CALLERS_MAX, InetAddress.getLoopbackAddress());
        socket.setSoTimeout((int) patience.toMillis());
    }

    InetAddress address() {
        return socket.getInetAddress();
    }

    URI uri() {
        String host = socket.getInetAddress().getHostAddress();
        return URI.create(
                "http://%s:%d/".formatted(host.contains(":") ? "[" + host + "]" : host, socket.getLocalPort()));
    }

    /** Waits for one call and answers it: on the calling thread, which does not wait for the answer yet. */
    void answerOne() throws IOException {
        try (Socket caller = socket.accept()) {
            caller.setSoTimeout(socket.getSoTimeout());
            readHead(caller.getInputStream());
            caller.getOutputStream().write(ANSWER);
        }
    }

    /** Up to the empty line. */
    private static void readHead(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 2) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
