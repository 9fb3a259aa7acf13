package dev.headgate.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small web service on this machine that pushes back: it allows 5 calls at once and 20 in any second, counted when a
 * request arrives, and answers 429 to each one beyond. It shares no code with Headgate and writes down every request, so
 * it can say whether the limits held.
 */
final class Provider implements AutoCloseable {
    static final int IN_WINDOW = 20;
    static final Duration WINDOW = Duration.ofSeconds(1);
    static final int AT_ONCE = 5;

    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NO_BODY = -1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Request> requests = new ArrayList<>();

    /** When the accepted calls of the last second arrived. */
    private final ArrayDeque<Long> recent = new ArrayDeque<>();

    private int running;

    /** One request as the provider saw it. */
    static final class Request {
        final String tenant;
        final long arrived;
        final boolean isAccepted;
        final int atOnce;
        volatile long ended;

        Request(String tenant, long arrived, boolean isAccepted, int atOnce) {
            this.tenant = tenant;
            this.arrived = arrived;
            this.isAccepted = isAccepted;
            this.atOnce = atOnce;
            this.ended = arrived;
        }
    }

    Provider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/call/", this::call);
        server.createContext("/ready", exchange -> answer(exchange, OK));
        server.setExecutor(threads);
        server.start();
    }

    URI at(String path) {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        String safe = host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://%s:%d/%s".formatted(safe, server.getAddress().getPort(), path));
    }

    private void call(HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getPath().split("/", -1);
        Request request = admit(parts[2]);
        if (request.isAccepted) {
            try {
                Thread.sleep(millis(Long.parseLong(parts[3])));
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            } finally {
                // Before the answer leaves: a caller that has it may rely on the place being free.
                finish(request, System.nanoTime());
            }
        }
        answer(exchange, request.isAccepted ? OK : TOO_MANY_REQUESTS);
    }

    /** 140 to 220 ms, the same for the same call in every run. */
    private static long millis(long call) {
        return 140 + call * 37 % 81;
    }

    /** The clock is read inside the lock, so that requests are counted in the order of their times. */
    private synchronized Request admit(String tenant) {
        return admit(tenant, System.nanoTime());
    }

    synchronized Request admit(String tenant, long now) {
        while (!recent.isEmpty() && now - recent.getFirst() >= WINDOW.toNanos()) {
            recent.removeFirst();
        }
        boolean isAccepted = running < AT_ONCE && recent.size() < IN_WINDOW;
        Request request = new Request(tenant, now, isAccepted, running + 1);
        requests.add(request);
        if (isAccepted) {
            running++;
            recent.addLast(now);
        }
        return request;
    }

    synchronized void finish(Request request, long now) {
        running--;
        request.ended = now;
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, NO_BODY);
        exchange.close();
    }

    /** What it wrote down so far. */
    synchronized CallLog witness() {
        return new CallLog(requests);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
