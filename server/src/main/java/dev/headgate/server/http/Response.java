package dev.headgate.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is sent back: a status, headers, and a body that is known or is written bit by bit. */
public record Response(int status, Map<String, String> headers, Body body) {
    public static final String JSON = "application/json";
    public static final String JSON_LINES = "application/x-ndjson";

    public Response {
        headers = Map.copyOf(headers);
    }

    /** What follows the headers. */
    public sealed interface Body {}

    /** Nothing. */
    public record Empty() implements Body {}

    /** Text that is all there, sent as UTF-8. */
    public record Whole(String mediaType, String text) implements Body {}

    /** Bytes that come as they are written; the response ends when {@code writer} returns. */
    public record Streamed(String mediaType, Writer writer) implements Body {}

    /** Writes a body. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream out) throws IOException;
    }

    public static Response json(int status, Object document) {
        return text(status, JSON, document.toString());
    }

    public static Response text(int status, String mediaType, String text) {
        return new Response(status, Map.of(), new Whole(mediaType, text));
    }

    public static Response empty(int status) {
        return new Response(status, Map.of(), new Empty());
    }

    /** The same with one more header, or another value of it. */
    public Response with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Response(status, all, body);
    }
}
