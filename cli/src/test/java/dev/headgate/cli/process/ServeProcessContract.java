package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.cli.RecordingMain;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.server.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A real {@code headgate serve} that is killed with -9 while jobs come in. {@code proof/chaos/judges/killed-server} does so with 500,000. */
interface ServeProcessContract {
    int JOBS = 6_000;
    List<Integer> KILLED_AT = List.of(1_500, 3_500);
    Pattern ANSWER = Pattern.compile("\\{\"line\":(\\d+),\"id\":(\\d+),\"new\":true}");
    Duration PATIENCE = Duration.ofSeconds(90);

    /** The URL of an empty store. */
    String freshStore() throws Exception;

    @Test
    default void jobsByLinesAreStoredOnceHoweverOftenTheServerIsKilled() throws Exception {
        String url = freshStore();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Headgate headgate = Headgate.open(url);
                HttpClient client = HttpClient.newHttpClient()) {
            String token = Tokens.of(headgate)
                    .create(TokenRequest.named("lines").right(Right.ENQUEUE))
                    .secret();
            Map<Integer, Long> ids = new HashMap<>();
            WorkerProcess server = serve(client, url, port);
            for (int killedAt : KILLED_AT) {
                send(client, port, token, ids, server, killedAt);
                server.kill();
                server = serve(client, url, port);
            }
            send(client, port, token, ids, server, Integer.MAX_VALUE);
            assertThat(ids).hasSize(JOBS);
            assertThat(new HashSet<>(ids.values())).hasSize(JOBS);
            Map<Integer, Long> again = new HashMap<>();
            send(client, port, token, again, server, Integer.MAX_VALUE);
            assertThat(again).isEqualTo(ids);
            server.close();
            assertThat(headgate.demand().exactOverview().jobs())
                    .singleElement()
                    .satisfies(count -> assertThat(count.jobs()).isEqualTo(JOBS));
        }
    }

    private static WorkerProcess serve(HttpClient client, String url, int port) throws Exception {
        WorkerProcess server = new WorkerProcess(
                List.of(),
                Map.of(),
                RecordingMain.class,
                List.of("serve", "--store", url, "--port", String.valueOf(port)));
        HttpRequest asking = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/healthz".formatted(port)))
                .build();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                client.send(asking, BodyHandlers.discarding());
                return server;
            } catch (IOException notYet) {
                assertThat(System.nanoTime()).as("the server is not up").isLessThan(end);
                Thread.onSpinWait();
            }
        }
    }

    /** Sends what is not answered yet, in one body. Kills the server as soon as so many are answered. */
    private static void send(
            HttpClient client, int port, String token, Map<Integer, Long> ids, WorkerProcess server, int killedAt)
            throws Exception {
        List<Integer> left = IntStream.range(0, JOBS)
                .filter(n -> !ids.containsKey(n))
                .boxed()
                .toList();
        String body = left.stream()
                .map(n -> "{\"type\":\"noop\",\"payload\":%d,\"idempotencyKey\":\"job-%d\"}\n".formatted(n, n))
                .collect(Collectors.joining());
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/jobs/lines".formatted(port)))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<Stream<String>> response = client.send(request, BodyHandlers.ofLines());
            Iterator<String> lines = response.body().iterator();
            while (lines.hasNext()) {
                String line = lines.next();
                Matcher answer = ANSWER.matcher(line);
                assertThat(answer.matches()).as(line).isTrue();
                ids.put(left.get(Integer.parseInt(answer.group(1)) - 1), Long.parseLong(answer.group(2)));
                if (ids.size() == killedAt) {
                    server.kill();
                }
            }
        } catch (IOException | UncheckedIOException brokeOff) {
            assertThat(ids.size()).as("only a killed server breaks off").isGreaterThanOrEqualTo(killedAt);
        }
    }
}
