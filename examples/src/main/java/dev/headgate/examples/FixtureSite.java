package dev.headgate.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Two small sites that link to each other, served on the loopback interface, one server for each host. */
final class FixtureSite implements AutoCloseable {
    static final String START = "http://garden.example/";
    private static final Duration TAKES = Duration.ofMillis(60);

    private static final Map<String, List<String>> PAGES = Map.ofEntries(
            Map.entry("http://garden.example/", List.of("/roses", "/herbs", "http://kitchen.example/")),
            Map.entry("http://garden.example/roses", List.of("/", "/roses/climbing", "/roses/wild")),
            Map.entry("http://garden.example/roses/climbing", List.of("/roses")),
            Map.entry("http://garden.example/roses/wild", List.of("/roses", "/herbs")),
            Map.entry("http://garden.example/herbs", List.of("/", "http://kitchen.example/tea", "/missing")),
            Map.entry("http://kitchen.example/", List.of("/tea", "/soup", "http://garden.example/herbs")),
            Map.entry("http://kitchen.example/tea", List.of("/", "/tea/mint")),
            Map.entry("http://kitchen.example/tea/mint", List.of("/tea")),
            Map.entry("http://kitchen.example/soup", List.of("/", "/soup/nettle")),
            Map.entry("http://kitchen.example/soup/nettle", List.of("http://garden.example/roses/wild")));

    private final Map<String, HttpServer> servers = new TreeMap<>();
    private final Map<String, AtomicInteger> peaks = new TreeMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    FixtureSite() throws IOException {
        for (String host : List.of("garden.example", "kitchen.example")) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            AtomicInteger inFlight = new AtomicInteger();
            AtomicInteger peak = new AtomicInteger();
            server.createContext("/", call -> serve(host, call, inFlight, peak));
            server.setExecutor(threads);
            server.start();
            servers.put(host, server);
            peaks.put(host, peak);
        }
    }

    /** Where a page really is: stands for the name service. */
    URI locate(String url) {
        URI uri = URI.create(url);
        HttpServer server = servers.get(uri.getHost());
        if (server == null) {
            throw new IllegalArgumentException("page '%s': expected a host of %s".formatted(url, servers.keySet()));
        }
        return URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), uri.getPath()));
    }

    private void serve(String host, HttpExchange call, AtomicInteger inFlight, AtomicInteger peak) throws IOException {
        peak.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try (call) {
            Thread.sleep(TAKES);
            List<String> links =
                    PAGES.get("http://" + host + call.getRequestURI().getPath());
            if (links == null) {
                call.sendResponseHeaders(404, -1);
                return;
            }
            byte[] page = page(host + call.getRequestURI().getPath(), links).getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, page.length);
            call.getResponseBody().write(page);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private static String page(String title, List<String> links) {
        StringBuilder page = new StringBuilder("<html><title>About %s</title>\n".formatted(title));
        links.forEach(link -> page.append("<a href=\"%s\">%s</a>\n".formatted(link, link)));
        return page.append("</html>\n").toString();
    }

    /** What it has seen, for people. */
    String summary() {
        return "requests at once: " + peaks;
    }

    @Override
    public void close() {
        servers.values().forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
