package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.route.Route;
import dev.headgate.server.route.Router;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.server.token.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A server on a SQLite file, and a client that checks every response against the contract. */
final class ServerRig implements AutoCloseable {
    static final Contract CONTRACT = new Contract();

    private static final Router ROUTER = new Router(Site.routes());

    final Headgate headgate;
    private final String basePath;
    HeadgateServer server;
    final Tokens tokens;
    final RawHttp raw;
    final String admin;

    ServerRig(Path folder) {
        this(folder, "");
    }

    ServerRig(Path folder, String basePath) {
        this("jdbc:sqlite:" + folder.resolve("jobs.db"), basePath);
    }

    /** One more server, of the store behind this URL. */
    ServerRig(String url, String basePath) {
        this.basePath = basePath;
        this.headgate = Headgate.open(url);
        this.server = HeadgateServer.of(headgate).basePath(basePath).start();
        this.tokens = Tokens.of(headgate);
        this.raw = new RawHttp(server.port());
        this.admin = token(TokenRequest.named("admin").right(Right.ADMIN));
    }

    /** Ends the server, with what is under way, and starts another one in its place. */
    void restart() {
        int port = server.port();
        server.close();
        server = HeadgateServer.of(headgate).basePath(basePath).port(port).start();
    }

    String token(TokenRequest request) {
        return tokens.create(request).secret();
    }

    /** A token with one right. */
    String token(Right right) {
        return token(TokenRequest.named(right.text()).right(right));
    }

    Answer get(String path) throws IOException {
        return send("GET", path, admin, "", Map.of());
    }

    Answer post(String path, String json) throws IOException {
        return send("POST", path, admin, json, Map.of("Content-Type", "application/json"));
    }

    /** Sends a request and checks the response against the contract. */
    Answer send(String method, String path, String token, String body, Map<String, String> more) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", "localhost:" + server.port());
        headers.put("Connection", "close");
        if (!token.isEmpty()) {
            headers.put("Authorization", "Bearer " + token);
        }
        if (!body.isEmpty()) {
            headers.put(
                    "Content-Length", String.valueOf(body.getBytes(java.nio.charset.StandardCharsets.UTF_8).length));
        }
        headers.putAll(more);
        StringBuilder text = new StringBuilder("%s %s HTTP/1.1\r\n".formatted(method, path));
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        Answer answer = raw.send(text + "\r\n" + body);
        check(method, path, answer);
        return answer;
    }

    static void check(String method, String path, Answer answer) {
        assertThat(answer.headers())
                .containsEntry("x-content-type-options", "nosniff")
                .containsEntry("cache-control", "no-store")
                .containsKeys("content-security-policy", "referrer-policy")
                .doesNotContainKeys("server", "x-powered-by", "access-control-allow-origin");
        try {
            Route route = ROUTER.find(method, path.replaceFirst("\\?.*", "")).route();
            CONTRACT.check(route.id(), answer.status(), answer.header("content-type"), answer.body());
        } catch (ProblemException none) {
            assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
            CONTRACT.checkProblem(answer.body());
        }
    }

    static JsonNode json(Answer answer) {
        return Contract.JSON.readTree(answer.body());
    }

    /** The slug of the problem that came back. */
    static String problem(Answer answer) {
        JsonNode json = json(answer);
        assertThat(json.get("status").asInt()).isEqualTo(answer.status());
        return json.get("type").asString().replace("/problems/", "");
    }

    @Override
    public void close() {
        server.close();
        headgate.close();
    }
}
