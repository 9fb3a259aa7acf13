package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** From the command line to the wire and back: http and shell jobs. */
class JobTypesTest {
    @TempDir
    Path folder;

    private Prompt prompt;
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        prompt = new Prompt(folder);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String said = "%s %s %s"
                        .formatted(
                                exchange.getRequestMethod(),
                                exchange.getRequestHeaders().getFirst("Content-Type"),
                                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                boolean isBusy = exchange.getRequestURI().getPath().equals("/busy");
                exchange.getResponseHeaders().set("Retry-After", "3600");
                exchange.sendResponseHeaders(isBusy ? 429 : 200, said.length());
                exchange.getResponseBody().write(said.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path);
    }

    private JsonNode job(int id) {
        return prompt.must("job", Integer.toString(id), "--json").json();
    }

    @Test
    void aCallIsMadeWithEveryOption() throws IOException {
        Path headers = folder.resolve("headers");
        Files.writeString(headers, "Authorization: Bearer s3cr3t\nX-Tenant: acme\n");
        prompt.must("gate", "set", "api", "concurrency 2");
        prompt.must(
                "enqueue",
                "http",
                url("/things"),
                "-X",
                "put",
                "-H",
                "@" + headers,
                "-d",
                "{\"n\":1}",
                "--expect",
                "200,201",
                "--keep-header",
                "Retry-After",
                "--gate",
                "api",
                "--queue",
                "calls",
                "--timeout",
                "5s");
        JsonNode payload = job(1).get("payload");
        assertThat(payload.get("method").asString()).isEqualTo("PUT");
        assertThat(payload.at("/headers/X-Tenant").asString()).isEqualTo("acme");
        assertThat(payload.get("hold").asString()).isEqualTo("api");
        assertThat(payload.get("timeout").asString()).isEqualTo("5s");
        Prompt.Answer worked = prompt.must("work", "--once", "--queue", "calls", "--allow-host", "127.0.0.1");
        assertThat(worked.out() + worked.err()).doesNotContain("s3cr3t");
        JsonNode job = job(1);
        assertThat(job.get("state").asString()).isEqualTo("succeeded");
        assertThat(job.at("/result/status").asInt()).isEqualTo(200);
        assertThat(job.at("/result/body").asString()).isEqualTo("PUT application/json {\"n\":1}");
        assertThat(job.at("/result/headers/retry-after").asString()).isEqualTo("3600");
    }

    @Test
    void aServerThatIsBusyIsLeftAlone() {
        prompt.must("enqueue", "http", url("/busy"));
        prompt.must("work", "--once", "--allow-host", "127.0.0.1");
        JsonNode job = job(1);
        assertThat(job.get("state").asString()).isEqualTo("scheduled");
        assertThat(job.at("/attempts/0/error").asString()).contains("status 429, asked to come back after 1h");
    }

    @Test
    void withoutPermissionJobsAreSetAsideAndRevivedByAWorkerThatHasIt() {
        prompt.must("enqueue", "http", url("/"));
        prompt.must("enqueue", "shell", "--", "true");
        prompt.must("work", "--once");
        assertThat(job(1).get("state").asString()).isEqualTo("parked");
        assertThat(job(2).get("state").asString()).isEqualTo("parked");
        prompt.must("work", "--once", "--allow-host", "127.0.0.1");
        assertThat(job(1).get("state").asString()).isEqualTo("succeeded");
        assertThat(job(2).get("state").asString()).isEqualTo("parked");
    }

    @Test
    void anotherHostIsRefusedForGood() {
        prompt.must("enqueue", "http", url("/"));
        prompt.must("work", "--once", "--allow-host", "api.example.com");
        assertThat(job(1).get("state").asString()).isEqualTo("failed");
        assertThat(job(1).get("detail").asString()).contains("allow it with --allow-host 127.0.0.1 and retry the job");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aCommandRunsWithEveryOption() {
        prompt.must("enqueue", "shell", "--queue", "chores", "--", "printf", "%s|", "-n", "a b");
        prompt.typing("typed");
        prompt.must(
                "enqueue",
                "shell",
                "--script",
                "cat; echo $GREETING; pwd",
                "-e",
                "GREETING=hello",
                "--dir",
                folder.toString(),
                "--stdin",
                "@-",
                "--queue",
                "chores");
        prompt.must("work", "--once", "--queue", "chores", "--allow-shell");
        assertThat(job(1).at("/result/stdout").asString()).isEqualTo("-n|a b|");
        assertThat(job(2).at("/result/stdout").asString())
                .startsWith("typedhello\n")
                .contains(folder.getFileName() + "\n");
        assertThat(job(2).get("log").toString()).contains("out: typedhello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "headgate-no-such-user", "-x"})
    void aUserThatCommandsCannotRunAsIsToldBeforeTheWorkerStarts(String user) {
        Prompt.Answer answer = prompt.run("work", "--once", "--allow-shell", "--shell-user=" + user);
        assertThat(answer.err()).contains("headgate: --shell-user: user").contains("expected");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(prompt.store()).doesNotExist();
    }

    @Test
    void aPayloadInJsonIsTakenToo() {
        prompt.must("enqueue", "http", "{\"url\":\"%s\"}".formatted(url("/")));
        prompt.must("enqueue", "shell", "{\"command\":[\"true\"]}");
        assertThat(job(2).at("/payload/command/0").asString()).isEqualTo("true");
    }

    private static Arguments wrong(String message, String... arguments) {
        return Arguments.of(message, arguments);
    }

    static Stream<Arguments> wrongCommands() {
        return Stream.of(
                wrong("enqueue: expected a job type or --from FILE, got neither", "enqueue"),
                wrong("enqueue http: expected a URL, got none", "enqueue", "http"),
                wrong("url: expected http:// or https://, got 'ftp:'", "enqueue", "http", "ftp://example.com"),
                wrong("expected no further argument, got 'b'", "enqueue", "http", "http://example.com", "b"),
                wrong("expected no further argument, got '2'", "enqueue", "echo", "1", "2"),
                wrong("unknown field 'ulr'; did you mean 'url'?", "enqueue", "http", "{\"ulr\":\"http://e.com\"}"),
                wrong("expected NAME:VALUE, got no colon", "enqueue", "http", "http://e.com", "-H", "hunter2"),
                wrong("header 'Host': expected one of the request", "enqueue", "http", "http://e.com", "-H", "Host: x"),
                wrong("--data: expected a file that can be read", "enqueue", "http", "http://e.com", "-d", "@nowhere"),
                wrong("expected the type http for an option such as -X", "enqueue", "echo", "-X", "GET"),
                wrong("expected the type shell for an option such as", "enqueue", "http", "http://e", "--script", "x"),
                wrong("expected a command or a script, got neither", "enqueue", "shell"),
                wrong("expected a command or a script, got both", "enqueue", "shell", "--script", "x", "--", "y"),
                wrong("--env: expected NAME=VALUE", "enqueue", "shell", "-e", "hunter2", "--", "y"),
                wrong("host: expected a name such as", "work", "--once", "--allow-host", "http://e.com"),
                wrong(
                        "network: expected a form such as",
                        "work",
                        "--once",
                        "--allow-host",
                        "e",
                        "--allow-network",
                        "x"),
                wrong("--allow-network: expected --allow-host", "work", "--once", "--allow-network", "10.0.0.0/8"),
                wrong("--http-env: expected --allow-host", "work", "--once", "--http-env", "TOKEN=e.com"),
                wrong("--http-env: variable: expected NAME=HOST", "work", "--allow-host", "e", "--http-env", "hunter2"),
                wrong("expected the hosts that it is for", "work", "--allow-host", "e", "--http-env", "TOKEN=*"),
                wrong("--shell-env: expected --allow-shell", "work", "--allow-host", "e", "--shell-env", "TOKEN"),
                wrong("--shell-user: expected --allow-shell", "work", "--once", "--shell-user", "nobody"),
                wrong("--pass-env: expected --http-env NAME=HOST", "work", "--allow-shell", "--pass-env", "TOKEN"));
    }

    @ParameterizedTest
    @MethodSource("wrongCommands")
    void whatIsWrongIsToldAndNothingIsStored(String message, String[] arguments) {
        Prompt.Answer answer = prompt.run(arguments);
        assertThat(answer.err()).contains(message).doesNotContain("hunter2");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(prompt.store()).doesNotExist();
    }
}
