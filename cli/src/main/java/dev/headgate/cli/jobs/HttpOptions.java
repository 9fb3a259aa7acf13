package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The request of an {@code http} job on the command line, with the option names of curl where curl has one. */
final class HttpOptions {
    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);

    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            description = "GET if not given, or POST with -d")
    private @Nullable String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "a header; @FILE reads some from a file, which keeps them out of the shell's history")
    private List<String> headers = List.of();

    @Option(
            names = "--header-env",
            paramLabel = "NAME=VARIABLE",
            description = "a header whose value the worker takes from its environment, so that the store never sees it;"
                    + " the worker needs --http-env VARIABLE=HOST")
    private List<String> headersFromEnv = List.of();

    @Option(
            names = {"-d", "--data"},
            paramLabel = "TEXT",
            description = "the body; @FILE reads it from a file. JSON is sent as application/json")
    private @Nullable String data;

    @Option(
            names = "--expect",
            paramLabel = "STATUS",
            split = ",",
            description = "statuses that mean success, such as 200-299,404; 200-299 if not given")
    private List<String> expect = List.of();

    @Option(names = "--keep-header", paramLabel = "NAME", description = "a header of the answer to keep in the result")
    private List<String> keepHeaders = List.of();

    @Option(
            names = "--hold",
            paramLabel = "GATE",
            description = "the gate that a 429 shuts for every worker; the job's gate if it has just one")
    private @Nullable String hold;

    boolean isUsed() {
        return method != null
                || !headers.isEmpty()
                || !headersFromEnv.isEmpty()
                || data != null
                || !expect.isEmpty()
                || !keepHeaders.isEmpty()
                || hold != null;
    }

    /** The payload; it holds only what was given, so that defaults stay defaults. */
    String payload(String url, JobEnqueueOptions job, TextOption given, JsonCodec codec) {
        Map<String, Object> payload = new LinkedHashMap<>();
        if (method != null) {
            payload.put("method", method.toUpperCase(Locale.ROOT));
        }
        payload.put("url", url);
        String body = data == null ? null : given.text("--data", data);
        Map<String, String> fields = fields(given);
        if (body != null && fields.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
            fields.put("Content-Type", isJson(body, codec) ? "application/json" : "text/plain; charset=utf-8");
        }
        if (!fields.isEmpty()) {
            payload.put("headers", fields);
        }
        if (!headersFromEnv.isEmpty()) {
            payload.put("headersFromEnv", variables());
        }
        if (body != null) {
            payload.put("body", body);
        }
        if (!expect.isEmpty()) {
            payload.put("expect", expect);
        }
        Duration timeout = job.timeout();
        if (timeout != null) {
            payload.put("timeout", Spans.text(timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout));
        }
        if (!keepHeaders.isEmpty()) {
            payload.put("keepHeaders", keepHeaders);
        }
        if (hold != null || job.gates().size() == 1) {
            payload.put("hold", hold == null ? job.gates().getFirst() : hold);
        }
        return codec.write("payload of 'http'", payload);
    }

    private Map<String, String> fields(TextOption given) {
        List<String> lines = new ArrayList<>();
        for (String header : headers) {
            given.text("--header", header)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .forEach(lines::add);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw CommandException.usage(
                        "--header: expected NAME:VALUE, got no colon; what was given is not shown");
            }
            String name = line.substring(0, colon).strip();
            if (fields.put(name, line.substring(colon + 1).strip()) != null) {
                throw CommandException.usage(
                        "--header: expected each name once, got '%s' again; put commas between its values"
                                .formatted(name));
            }
        }
        return fields;
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String each : headersFromEnv) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage(
                        "--header-env: expected NAME=VARIABLE, got no '='; what was given is not shown");
            }
            variables.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return variables;
    }

    private static boolean isJson(String body, JsonCodec codec) {
        try {
            codec.check("body", body);
            return true;
        } catch (IllegalArgumentException notJson) {
            return false;
        }
    }
}
