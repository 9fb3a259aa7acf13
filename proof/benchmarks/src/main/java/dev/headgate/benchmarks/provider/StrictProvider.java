package dev.headgate.benchmarks.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A provider in a process of its own, which shares no code with Headgate. One thread takes all calls in the order in which they arrive, so its
 * count is not disturbed by threads of its own; an accepted call is answered later, by another one. Its input is commands, one a line:
 * {@code begin KIND FIGURES MILLIS} forgets what was and counts by these figures, {@code count} says how many calls came, {@code warm} how many came
 * that do not count, {@code end} writes down all calls and a full stop.
 */
final class StrictProvider {
    private static final int WARM_UP = 2_000;
    private static final int BACKLOG = 1_000;
    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    private final ScheduledExecutorService answers = Executors.newScheduledThreadPool(2);
    private final WallClock clock = new WallClock();
    private List<CallLog.Call> calls = new ArrayList<>();
    private Counter counter = now -> true;
    private int millis;
    private long warm;

    private StrictProvider() throws IOException {
        server.createContext("/call/", this::call);
        server.createContext("/warm/", this::warm);
        server.start();
    }

    /** Prints its port when it is warm itself. */
    public static void main(String[] args) throws Exception {
        StrictProvider provider = new StrictProvider();
        provider.warmUp();
        System.out.println(provider.server.getAddress().getPort());
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            provider.obey(line.split(" ", -1));
            System.out.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private void warmUp() throws Exception {
        begin(Allowance.of(Allowance.Kind.SLIDING, "1000/1s"), 0);
        URI root =
                URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < WARM_UP; i++) {
                URI to = root.resolve(i % 2 == 0 ? "call/0" : "warm/0");
                client.send(HttpRequest.newBuilder(to).build(), BodyHandlers.discarding());
            }
        }
    }

    private synchronized void obey(String[] words) {
        switch (words[0]) {
            case "begin" -> {
                begin(Allowance.of(Allowance.Kind.of(words[1]), words[2]), Integer.parseInt(words[3]));
                System.out.println("begun");
            }
            case "count" -> System.out.println(calls.size());
            case "warm" -> System.out.println(warm);
            case "end" -> {
                StringBuilder all = new StringBuilder();
                calls.forEach(call -> all.append(call.text()).append('\n'));
                System.out.println(all.append('.'));
            }
            default -> throw new IllegalArgumentException("provider: no command '%s'".formatted(words[0]));
        }
    }

    private synchronized void begin(Allowance allowance, int takes) {
        calls = new ArrayList<>();
        counter = Counter.of(allowance);
        millis = takes;
        warm = 0;
    }

    /** The server's only thread is here: it has read the head of the request just now. */
    private void call(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        long sent = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
        boolean isAccepted;
        synchronized (this) {
            long now = clock.micros();
            isAccepted = counter.allows(now);
            calls.add(new CallLog.Call(now, isAccepted, sent));
        }
        answer(exchange, isAccepted ? 200 : TOO_MANY_REQUESTS, isAccepted ? millis : 0);
    }

    private void warm(HttpExchange exchange) {
        synchronized (this) {
            warm++;
        }
        answer(exchange, 200, 1);
    }

    private void answer(HttpExchange exchange, int status, int later) {
        var unused = answers.schedule(
                () -> {
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                    return status;
                },
                Duration.ofMillis(later).toNanos(),
                TimeUnit.NANOSECONDS);
    }
}
