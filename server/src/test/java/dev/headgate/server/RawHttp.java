package dev.headgate.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** HTTP as bytes over a socket: a client that sends exactly what a test says, and shares nothing with the server. */
final class RawHttp {
    private static final int PATIENCE_MILLIS = 60_000;

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /** A response, its header names in small letters. */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /** Sends this text and reads one response. The text must ask for the connection to be closed. */
    Answer send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    Answer send(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (SocketException refused) {
                // The server has answered before it read all, and said that it reads no more.
            }
            return parse(socket.getInputStream().readAllBytes());
        }
    }

    Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    static Answer parse(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("expected a response, got '%s'".formatted(text));
        }
        String[] lines = text.substring(0, end).split("\r\n", -1);
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        String rest = text.substring(end + 4);
        String body = headers.getOrDefault("transfer-encoding", "").equals("chunked") ? dechunked(rest) : rest;
        return new Answer(
                Integer.parseInt(lines[0].split(" ", -1)[1]),
                headers,
                new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    private static String dechunked(String text) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int at = 0;
        while (at < text.length()) {
            int line = text.indexOf("\r\n", at);
            int size = Integer.parseInt(text.substring(at, line).strip(), 16);
            if (size == 0) {
                break;
            }
            all.writeBytes(text.substring(line + 2, line + 2 + size).getBytes(StandardCharsets.ISO_8859_1));
            at = line + 2 + size + 2;
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    static String read(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
