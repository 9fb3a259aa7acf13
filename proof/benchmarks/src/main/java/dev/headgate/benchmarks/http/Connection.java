package dev.headgate.benchmarks.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One kept connection that does as little as possible itself, so that what is measured is the server. */
final class Connection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 300_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String headers;

    Connection(int port, String token) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
        this.out = socket.getOutputStream();
        this.headers = "Host: localhost:%d\r\nAuthorization: Bearer %s\r\n".formatted(port, token);
    }

    String get(String path) throws IOException {
        write("GET " + path + " HTTP/1.1\r\n" + headers + "\r\n", "");
        return answer();
    }

    String post(String path, String json) throws IOException {
        return post(path, "application/json", json);
    }

    String post(String path, String kind, String body) throws IOException {
        write(
                "POST %s HTTP/1.1\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, headers, kind, body.getBytes(StandardCharsets.UTF_8).length),
                body);
        return answer();
    }

    private void write(String head, String body) throws IOException {
        out.write((head + body).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private String answer() throws IOException {
        String status = line();
        int length = 0;
        boolean isChunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).strip());
            }
            isChunked |= header.startsWith("transfer-encoding:") && header.endsWith("chunked");
        }
        String body = isChunked ? chunks() : new String(in.readNBytes(length), StandardCharsets.UTF_8);
        if (!status.startsWith("HTTP/1.1 2")) {
            throw new IOException("expected an answer of the server, got %s: %s".formatted(status, body));
        }
        return body;
    }

    private String chunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(), 16);
            all.write(in.readNBytes(size));
            line();
            if (size == 0) {
                return all.toString(StandardCharsets.UTF_8);
            }
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(80);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("expected an answer, got the end of the connection");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
