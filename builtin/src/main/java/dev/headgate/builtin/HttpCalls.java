package dev.headgate.builtin;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobFunction;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryAfterHeader;
import dev.headgate.handler.RetryLater;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.Spans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code http} jobs: {@code headgate.handleWithResult(HttpJob.TYPE, new HttpCalls(hosts))}. What an answer means:
 *
 * <ul>
 *   <li>a status that is expected: the job is done, and its result is a {@link HttpAnswer};
 *   <li>429 or 503 with a {@code Retry-After}: it runs again when the server said;
 *   <li>408, 425, 429, any 5xx, no answer, an answer that takes too long: it runs again by its retry policy;
 *   <li>anything else, redirects among them, which are never followed: it failed for good.
 * </ul>
 *
 * <p>A call goes over HTTP/1.1 to an address that was checked: the name is not looked up again, which the JDK's client
 * would do, and no proxy is used. Values of {@link HeaderVariables} are hidden in results and errors, as far as they can
 * be recognised. Thread-safe.
 */
public final class HttpCalls implements JobFunction<HttpJob> {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final List<String> HEADERS_KEPT =
            List.of("content-type", "date", "etag", "last-modified", "location", "retry-after", "x-request-id");
    private static final int HEADER_LENGTH_MAX = 1_000;
    private static final int KEPT_HEADERS_MAX = 30;
    private static final int EXCERPT_LENGTH = 300;

    private static final Duration WARM_UP = Duration.ofMillis(300);
    private static final int WARM_UP_CALLS = 5;

    private final AtomicBoolean isWarm = new AtomicBoolean();
    private final HostRules hosts;
    private final HeaderVariables variables;
    private final Supplier<SSLSocketFactory> tls;
    private final Connections connections;

    public HttpCalls(HostRules hosts) {
        this(hosts, HeaderVariables.NONE);
    }

    /** @param variables what jobs may send as headers without knowing the values, and where to */
    public HttpCalls(HostRules hosts, HeaderVariables variables) {
        this(hosts, variables, () -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    HttpCalls(HostRules hosts, HeaderVariables variables, Supplier<SSLSocketFactory> tls) {
        this.hosts = hosts;
        this.variables = variables;
        this.tls = tls;
        this.connections = new Connections(tls);
    }

    /** Calls a server of its own on the loopback interface, so that the first job does not wait for class loading. */
    @Override
    public void warmUp() throws IOException, InterruptedException {
        if (!isWarm.compareAndSet(false, true)) {
            return;
        }
        var unused = tls.get();
        long begin = Ticker.SYSTEM.nanos();
        try (Rehearsal server = new Rehearsal(WARM_UP)) {
            HttpJob call = HttpJob.get(server.uri().toString()).within(WARM_UP);
            for (int i = 0; i < WARM_UP_CALLS && Ticker.SYSTEM.nanos() - begin < WARM_UP.toNanos(); i++) {
                try (Exchange exchange = new Exchange(connections, call, List.of(server.address()), Redaction.NONE)) {
                    exchange.open();
                    exchange.send(call.fields());
                    server.answerOne();
                    answer(call, exchange.receive(call.keptBytes()), Redaction.NONE);
                }
            }
        } catch (HttpTimeoutException | SocketTimeoutException slow) {
            // Loads what it can in that time; the worker must not wait for the rest.
        }
    }

    @Override
    public HttpAnswer apply(HttpJob call, JobContext job) throws IOException, InterruptedException {
        List<InetAddress> addresses = hosts.check(call.uri());
        Map<String, String> fromVariables = variables.values(Origin.of(call.uri()), call.variables());
        Map<String, String> fields = new LinkedHashMap<>(call.fields());
        fields.putAll(fromVariables);
        Redaction secrets = Redaction.of(fromVariables.values());
        Response response;
        try (Exchange exchange = new Exchange(connections, call, addresses, secrets)) {
            exchange.open();
            job.beforeCall();
            exchange.send(fields);
            response = withoutSecrets(call, exchange.receive(call.keptBytes() + secrets.lengthMax()), secrets);
        }
        int status = response.status();
        if (call.expected().contains(status)) {
            return answer(call, response, secrets);
        }
        Optional<Duration> wait = RetryAfterHeader.of(status, response::firstValue);
        if (wait.isPresent() || (status == TOO_MANY_REQUESTS && call.hold() != null)) {
            throw turnedAway(call, job, status, wait.orElse(null));
        }
        String message = "%s: expected status %s, got %d%s"
                .formatted(call, call.expected(), status, excerpt(fields, response.body(), secrets));
        if (mayPass(status)) {
            throw new IOException(message);
        }
        throw new PermanentFailure(message);
    }

    /**
     * A compressed body could hold a secret value that is not found. So nothing is kept of a compressed answer to a
     * request with secrets.
     */
    private static Response withoutSecrets(HttpJob call, Response response, Redaction secrets) {
        boolean isEncoded = response.firstValue("content-encoding")
                .filter(encoding -> !encoding.equalsIgnoreCase("identity"))
                .isPresent();
        KeptBody body =
                isEncoded && !secrets.isNone() ? KeptBody.LEFT_OUT : secrets.hide(response.body(), call.keptBytes());
        return new Response(response.status(), response.headers(), body, response.isReusable());
    }

    /** The only place that decides what a refusal by the server does to a job. */
    private static RuntimeException turnedAway(HttpJob call, JobContext job, int status, @Nullable Duration wait) {
        String asked = wait == null ? "" : ", asked to come back after " + Spans.text(wait);
        String why = "%s: status %d%s".formatted(call, status, asked);
        job.log(why);
        return call.hold() == null && wait != null
                ? RetryLater.after(wait, why)
                : RetryLater.pushedBack(String.valueOf(call.hold()), wait, why);
    }

    private static boolean mayPass(int status) {
        return status >= 500 || status == 408 || status == 425 || status == 429;
    }

    private static HttpAnswer answer(HttpJob call, Response response, Redaction secrets) {
        Map<String, String> headers = new LinkedHashMap<>();
        keep(HEADERS_KEPT, response, secrets, headers);
        keep(call.keptHeaders(), response, secrets, headers);
        BodyText body = BodyText.of(response.body(), response.firstValue("content-type"));
        String text = body.text();
        return new HttpAnswer(
                response.status(),
                headers,
                // Once more: in UTF-16 the bytes of a value are others.
                text == null ? null : secrets.hide(text),
                body.base64(),
                response.body().isCut());
    }

    private static void keep(List<String> names, Response response, Redaction secrets, Map<String, String> headers) {
        for (String name : names) {
            List<String> values = response.allValues(name);
            if (!values.isEmpty() && headers.size() < KEPT_HEADERS_MAX) {
                String value = secrets.hide(String.join(", ", values));
                headers.put(name.toLowerCase(Locale.ROOT), Text.storable(value, HEADER_LENGTH_MAX));
            }
        }
    }

    /**
     * What the server answered, for the error, without the secrets of the request, because servers like to repeat them.
     */
    private static String excerpt(Map<String, String> fields, KeptBody kept, Redaction secrets) {
        String said = BodyText.of(kept, Optional.empty()).text();
        if (said == null || said.isBlank()) {
            return "";
        }
        String shown = secrets.hide(said);
        for (String value : fields.values()) {
            for (String part : value.split("[\\s,;=]+", -1)) {
                shown = part.length() < 4 ? shown : shown.replace(part, "…");
            }
        }
        return ": " + Text.visible(Text.storable(shown.strip(), EXCERPT_LENGTH));
    }
}
