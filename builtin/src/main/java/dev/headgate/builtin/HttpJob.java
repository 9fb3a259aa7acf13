package dev.headgate.builtin;

import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import dev.headgate.job.JobType;
import dev.headgate.limit.Spans;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The payload of an {@code http} job: one request, and what counts as success. It is checked when it is made, at enqueue
 * and again at work; what it holds is never part of a message, because headers and queries carry secrets.
 *
 * @param method GET if absent, or POST if there is a body
 * @param url {@code http} or {@code https}, without user and password
 * @param headers by name; those that the connection itself needs ({@code Host}, {@code Content-Length} …) are refused
 * @param body sent as UTF-8, at most {@value #BODY_BYTES_MAX} bytes
 * @param expect statuses that mean success, such as {@code ["200-299", "404"]}. Default: 200-299
 * @param timeout for the whole exchange, to the last byte of the answer, such as {@code 10s}. Default: 30s; at most 1h
 * @param keepHeaders headers of the answer to keep in the result, besides the usual few
 * @param keepBytes how much of the answer's body to keep in the result. Default and most: {@value #KEEP_BYTES_MAX}
 * @param headersFromEnv headers whose values stand in variables of the worker's environment, by name: {@code
 *     {"Authorization":"API_TOKEN"}}. So the store never sees them. A worker sends a variable only to the hosts that it
 *     was told to
 * @param hold the gate that a 429, or a 503 with {@code Retry-After}, shuts for every worker; one of the job's gates
 */
public record HttpJob(
        @Nullable String method,
        String url,
        @Nullable Map<String, String> headers,
        @Nullable String body,
        @Nullable List<String> expect,
        @Nullable String timeout,
        @Nullable List<String> keepHeaders,
        @Nullable Integer keepBytes,
        @Nullable String hold,
        @Nullable Map<String, String> headersFromEnv) {
    public static final JobType<HttpJob> TYPE = JobType.of("http", HttpJob.class);

    /** Leaves room in a payload of 256 KiB for quotes and escapes. */
    public static final int BODY_BYTES_MAX = 192 * 1024;

    /** As JSON, where a byte can take six, it still fits into a result of 256 KiB. */
    public static final int KEEP_BYTES_MAX = 32 * 1024;

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);
    private static final int URL_LENGTH_MAX = 8_000;
    private static final int HEADERS_MAX = 100;
    private static final int HEADER_LENGTH_MAX = 8_000;
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,199}");
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    /** Headers of the connection, not of the request: two opinions about these allow request smuggling. */
    private static final Set<String> OF_THE_CONNECTION = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    public HttpJob {
        method = checkMethod(method == null ? (body == null ? "GET" : "POST") : method);
        uri(url);
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        headersFromEnv = headersFromEnv == null ? Map.of() : Map.copyOf(headersFromEnv);
        checkHeaders(headers, headersFromEnv);
        if (body != null && body.getBytes(StandardCharsets.UTF_8).length > BODY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "body: expected at most %d bytes, got %d; keep it where the server finds it"
                            .formatted(BODY_BYTES_MAX, body.getBytes(StandardCharsets.UTF_8).length));
        }
        expect = expect == null || expect.isEmpty() ? List.of(StatusSet.SUCCESS_TEXT) : List.copyOf(expect);
        StatusSet.parse(expect);
        checkTimeout(timeout);
        keepHeaders = keepHeaders == null ? List.of() : List.copyOf(keepHeaders);
        keepHeaders.forEach(HttpJob::checkHeaderName);
        keepBytes = keepBytes == null ? KEEP_BYTES_MAX : keepBytes;
        if (keepBytes < 0 || keepBytes > KEEP_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "keepBytes: expected 0 to %d, got %d".formatted(KEEP_BYTES_MAX, keepBytes));
        }
        if (hold != null) {
            Names.check("hold", hold);
        }
    }

    /** A plain GET. */
    public static HttpJob get(String url) {
        return new HttpJob(null, url, null, null, null, null, null, null, null, null);
    }

    /** The same request, for a job whose gate stands for the server: a 429 shuts it. */
    public HttpJob holding(String gate) {
        return new HttpJob(method, url, headers, body, expect, timeout, keepHeaders, keepBytes, gate, headersFromEnv);
    }

    /** The same request with another timeout. */
    HttpJob within(Duration patience) {
        return new HttpJob(
                method, url, headers, body, expect, Spans.text(patience), keepHeaders, keepBytes, hold, headersFromEnv);
    }

    private static String checkMethod(String method) {
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("method: expected one of %s, got '%s'"
                    .formatted(String.join(", ", METHODS.stream().sorted().toList()), Text.visible(method)));
        }
        return method;
    }

    private static URI uri(@Nullable String url) {
        if (url == null || url.length() > URL_LENGTH_MAX) {
            throw new IllegalArgumentException("url: expected one of at most %d characters, got %s"
                    .formatted(URL_LENGTH_MAX, url == null ? "none" : url.length()));
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException("url: expected a well-formed one, got a fault at character %d: %s"
                    .formatted(Math.max(0, malformed.getIndex()), malformed.getReason()));
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("url: expected http:// or https://, got %s"
                    .formatted(scheme.isEmpty() ? "no scheme" : "'" + scheme + ":'"));
        }
        if (uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "url: expected a host name or an address after %s://, got none".formatted(scheme));
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "url: expected no user and password in it, got some; send an Authorization header");
        }
        return uri;
    }

    private static void checkHeaders(Map<String, String> headers, Map<String, String> fromEnvironment) {
        List<String> names = Stream.concat(headers.keySet().stream(), fromEnvironment.keySet().stream())
                .toList();
        if (names.size() > HEADERS_MAX) {
            throw new IllegalArgumentException(
                    "headers: expected at most %d, got %d".formatted(HEADERS_MAX, names.size()));
        }
        names.forEach(name -> {
            checkHeaderName(name);
            if (OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "header '%s': expected one of the request, got one that the connection sets itself"
                                .formatted(name));
            }
        });
        headers.forEach(HttpJob::checkHeaderValue);
        fromEnvironment.forEach((name, variable) -> {
            if (!VARIABLE.matcher(variable).matches()) {
                throw new IllegalArgumentException(
                        "header '%s': expected the name of a variable, of letters, digits and _, got something else; it is not shown"
                                .formatted(name));
            }
        });
        if (names.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().count() < names.size()) {
            throw new IllegalArgumentException(
                    "headers: expected each name once, got one twice; put commas between its values");
        }
    }

    static void checkHeaderValue(String name, String value) {
        if (value.length() > HEADER_LENGTH_MAX || !value.chars().allMatch(HttpJob::isOfAHeaderValue)) {
            throw new IllegalArgumentException(
                    "header '%s': expected at most %d printable characters on one line; its value is not shown"
                            .formatted(name, HEADER_LENGTH_MAX));
        }
    }

    private static void checkHeaderName(String name) {
        boolean isToken = !name.isEmpty()
                && name.length() <= Names.LENGTH_MAX
                && name.chars()
                        .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0));
        if (!isToken) {
            throw new IllegalArgumentException("headers: expected a name of letters, digits and -, got '%s'"
                    .formatted(Text.visible(Text.storable(name, 40))));
        }
    }

    /** No line feed, no control character: a value must not become a header of its own. */
    private static boolean isOfAHeaderValue(int c) {
        return c == '\t' || (c >= ' ' && c <= '~');
    }

    private static Duration checkTimeout(@Nullable String timeout) {
        Duration span = timeout == null ? TIMEOUT_DEFAULT : Spans.parse(timeout);
        if (span.isZero() || span.isNegative() || span.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException("timeout: expected more than zero and at most %s, got '%s'"
                    .formatted(Spans.text(TIMEOUT_MAX), timeout));
        }
        return span;
    }

    URI uri() {
        return uri(url);
    }

    String verb() {
        return Objects.requireNonNull(method);
    }

    Map<String, String> fields() {
        return Objects.requireNonNull(headers);
    }

    /** Names of variables, by the names of the headers. */
    Map<String, String> variables() {
        return Objects.requireNonNull(headersFromEnv);
    }

    StatusSet expected() {
        return StatusSet.parse(Objects.requireNonNull(expect));
    }

    Duration patience() {
        return checkTimeout(timeout);
    }

    int keptBytes() {
        return Objects.requireNonNull(keepBytes);
    }

    List<String> keptHeaders() {
        return Objects.requireNonNull(keepHeaders);
    }

    /** The request for people: no query, no headers, no body, because each of them may hold a secret. */
    @Override
    public String toString() {
        URI uri = uri();
        return "%s %s://%s%s".formatted(method, uri.getScheme(), uri.getRawAuthority(), uri.getRawPath());
    }
}
