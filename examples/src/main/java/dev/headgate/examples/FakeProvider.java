package dev.headgate.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands for a provider of a language model, on the loopback interface: answers the same to the same prompt, after a moment;
 * allows so many calls at once; and pushes back now and then whatever one does, as providers do.
 */
final class FakeProvider implements AutoCloseable {
    static final int AT_ONCE_MAX = 3;
    private static final int PUSHES_BACK_EVERY = 8;
    private static final Duration THINKS = Duration.ofMillis(25);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicInteger pushedBack = new AtomicInteger();
    private final AtomicInteger overran = new AtomicInteger();

    FakeProvider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/complete", this::complete);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create(
                "http://127.0.0.1:%d/complete".formatted(server.getAddress().getPort()));
    }

    private void complete(HttpExchange call) throws IOException {
        int now = inFlight.incrementAndGet();
        peak.accumulateAndGet(now, Math::max);
        try (call) {
            String prompt = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (now > AT_ONCE_MAX) {
                overran.incrementAndGet();
                refuse(call);
            } else if (calls.incrementAndGet() % PUSHES_BACK_EVERY == 0) {
                refuse(call);
            } else {
                Thread.sleep(THINKS);
                byte[] answer = answer(prompt).getBytes(StandardCharsets.UTF_8);
                call.sendResponseHeaders(200, answer.length);
                call.getResponseBody().write(answer);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private void refuse(HttpExchange call) throws IOException {
        pushedBack.incrementAndGet();
        call.getResponseHeaders().set("Retry-After", "1");
        call.sendResponseHeaders(429, -1);
    }

    /** The same prompt always gets the same answer, so that runs can be compared. */
    static String answer(String prompt) {
        if (prompt.startsWith("plan ")) {
            String topic = prompt.substring("plan ".length());
            return "what is %1$s?\nwho needs %1$s?\nwhat does %1$s cost?\nwhat could replace %1$s?".formatted(topic);
        }
        return "%s: %,d".formatted(prompt, Math.floorMod(prompt.hashCode(), 10_000));
    }

    /** What it has seen, for people. */
    String summary() {
        return "provider: %d calls, at most %d at once, %d pushed back, %d of them because of too many at once"
                .formatted(calls.get() + overran.get(), peak.get(), pushedBack.get(), overran.get());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
