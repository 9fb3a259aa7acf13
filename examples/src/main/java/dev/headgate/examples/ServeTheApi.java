package dev.headgate.examples;

import dev.headgate.Headgate;
import dev.headgate.server.HeadgateServer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.server.token.Tokens;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that serves the HTTP API of its own store, and a client that enqueues a job there. */
public final class ServeTheApi {
    private ServeTheApi() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("headgate");
        try (Headgate headgate = Headgate.open("jdbc:sqlite:" + folder.resolve("jobs.db"))) {
            // docs:begin serve
            try (HeadgateServer server = HeadgateServer.of(headgate).port(0).start()) {
                String secret = Tokens.of(headgate)
                        .create(TokenRequest.named("mailer")
                                .right(Right.ENQUEUE)
                                .queue("mail"))
                        .secret();
                System.out.println(server.url());
                // docs:end
                System.out.println(enqueue(server.url(), secret));
            }
        }
    }

    private static String enqueue(String url, String secret) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/jobs"))
                .header("Authorization", "Bearer " + secret)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"type\":\"send\",\"queue\":\"mail\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }
}
