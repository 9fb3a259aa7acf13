package dev.headgate.benchmarks.provider;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls the provider with the JDK's client, as a handler would. */
final class Endpoint {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String root;

    Endpoint(int port) {
        this.root = "http://127.0.0.1:%d/".formatted(port);
    }

    /** Calls once; false if the provider refused. */
    boolean call(long job) throws IOException, InterruptedException {
        URI uri = URI.create(root + (Caller.isWarm(job) ? "warm/0" : "call/" + job));
        int status = client.send(HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), BodyHandlers.discarding())
                .statusCode();
        if (status != 200 && status != 429) {
            throw new IOException("provider: expected 200 or 429, got " + status);
        }
        return status == 200;
    }

    /** For queues that know no other answer to a refused call than a failed job. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException() {
            super("the provider answered 429");
        }
    }
}
