package dev.headgate.builtin;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes HTTP/1.1 requests. Names and values of headers were checked before: none of them holds the end of a line. */
final class RequestWriter {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private RequestWriter() {}

    /** @param fields the headers of the job, those whose values were in variables too */
    static byte[] write(HttpJob call, Map<String, String> fields) {
        URI uri = URI.create(call.uri().toASCIIString());
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        StringBuilder head = new StringBuilder();
        head.append(call.verb()).append(' ').append(path);
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\n");
        add(head, "Host", uri.getRawAuthority());
        Set<String> given = fields.keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        if (!given.contains("user-agent")) {
            add(head, "User-Agent", "headgate");
        }
        fields.forEach((name, value) -> add(head, name, value));
        String text = call.body();
        byte[] body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        if (text != null || WITH_BODY.contains(call.verb())) {
            add(head, "Content-Length", Integer.toString(body.length));
        }
        head.append("\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        return request.toByteArray();
    }

    private static void add(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
