package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words that must not be seen, and every place where they could be. */
class SecretsTest {
    /** In payloads: shown by the commands that are asked for a payload, and by no other. */
    private static final String PAYLOAD = "canary-in-a-payload";
    /** Under a name that says it is secret: shown on request only. */
    private static final String SECRET = "canary-under-a-secret-name";
    /** In the worker's environment: stored and shown nowhere. */
    private static final String VARIABLE = "API_TOKEN";

    private static final String TOKEN = "canary-in-the-environment";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final AtomicReference<String> sent = new AtomicReference<>("");
    private PrintStream errors;
    private Prompt prompt;
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        errors = System.err;
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                sent.set(exchange.getRequestHeaders().getFirst("Authorization"));
                // Servers like to repeat what they were sent.
                byte[] said = ("you sent " + sent.get()).getBytes(StandardCharsets.UTF_8);
                boolean isGood = exchange.getRequestURI().getPath().equals("/good");
                exchange.getResponseHeaders().set("X-Sent", String.valueOf(sent.get()));
                exchange.sendResponseHeaders(isGood ? 200 : 403, said.length);
                exchange.getResponseBody().write(said);
            }
        });
        server.start();
        prompt = new Prompt(folder);
    }

    @AfterEach
    void close() {
        System.setErr(errors);
        server.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path);
    }

    private void fill() {
        prompt.must("gate", "set", "api", "concurrency 5", "journal 1d");
        prompt.must(
                "enqueue",
                "echo",
                "{\"text\":\"%s\",\"apiKey\":\"%s\",\"maxTokens\":7}".formatted(PAYLOAD, SECRET),
                "--gate",
                "api");
        prompt.must("enqueue", "http", url("/?key=" + PAYLOAD), "-H", "Authorization: Bearer " + SECRET, "-d", PAYLOAD);
        prompt.must("enqueue", "sleep", "{\"ms\":\"%s\"}".formatted(PAYLOAD));
        prompt.must("enqueue", "unheard-of", "{\"password\":\"%s\"}".formatted(SECRET));
        prompt.must("schedule", "add", "nightly", "--cron", "0 3 * * *", "echo", "{\"x\":\"%s\"}".formatted(PAYLOAD));
    }

    @Test
    void noCommandShowsAPayloadUnlessItIsAskedFor() {
        fill();
        List<String[]> commands = List.of(
                new String[] {"work", "--once", "--allow-host", "127.0.0.1"},
                new String[] {"status"},
                new String[] {"queues"},
                new String[] {"backlog"},
                new String[] {"types"},
                new String[] {"gates"},
                new String[] {"policy"},
                new String[] {"policy", "history"},
                new String[] {"jobs"},
                new String[] {"explain", "1"},
                new String[] {"explain", "2"},
                new String[] {"explain", "3"},
                new String[] {"explain", "4"},
                new String[] {"schedule"},
                new String[] {"schedule", "next", "nightly"},
                new String[] {"workflow"},
                new String[] {"doctor"},
                new String[] {"verify-history"},
                new String[] {"retry", "2"},
                new String[] {"cancel", "2"});
        for (String[] command : commands) {
            for (boolean isJson : new boolean[] {false, true}) {
                Prompt.Answer answer = isJson ? prompt.run(with(command, "--json")) : prompt.run(command);
                assertThat(answer.out() + answer.err() + logged.toString(StandardCharsets.UTF_8))
                        .as(String.join(" ", command))
                        .doesNotContain(PAYLOAD)
                        .doesNotContain(SECRET)
                        .isNotEmpty();
            }
        }
    }

    private static String[] with(String[] command, String option) {
        String[] longer = java.util.Arrays.copyOf(command, command.length + 1);
        longer[command.length] = option;
        return longer;
    }

    @Test
    void aPayloadIsShownWithoutItsSecretsUnlessTheyAreAskedForToo() {
        fill();
        prompt.must("work", "--once");
        for (String[] command :
                new String[][] {{"job", "1"}, {"job", "1", "--json"}, {"jobs", "--payloads", "--json"}}) {
            assertThat(prompt.must(command).out())
                    .contains(PAYLOAD)
                    .contains("(hidden)")
                    .doesNotContain(SECRET)
                    .contains("maxTokens\":7");
            assertThat(prompt.must(with(command, "--reveal")).out())
                    .contains(SECRET)
                    .doesNotContain("(hidden)");
        }
        assertThat(prompt.must("job", "2").out())
                .contains("\"Authorization\":\"(hidden)\"")
                .doesNotContain(SECRET);
        assertThat(prompt.must("schedule", "show", "nightly").out()).contains(PAYLOAD);
    }

    private void enqueueWithToken(String url) {
        String header = "Authorization=" + VARIABLE;
        prompt.must("enqueue", "http", url, "--header-env", header, "--keep-header", "X-Sent", "--attempts", "1");
    }

    @Test
    void aHeaderOfTheWorkersEnvironmentIsStoredAndShownNowhereAlsoIfTheServerRepeatsIt() throws IOException {
        prompt.with(VARIABLE, "Bearer " + TOKEN);
        enqueueWithToken(url("/good"));
        enqueueWithToken(url("/bad"));
        Prompt.Answer worked = prompt.must(
                "work", "--once", "--json", "--allow-host", "127.0.0.1", "--http-env", VARIABLE + "=" + url(""));
        assertThat(sent.get()).isEqualTo("Bearer " + TOKEN);
        assertThat(prompt.must("job", "1", "--json").json().at("/result/body").asString())
                .isEqualTo("you sent (hidden)");
        assertThat(prompt.must("job", "1", "--json")
                        .json()
                        .at("/result/headers/x-sent")
                        .asString())
                .isEqualTo("(hidden)");
        assertThat(prompt.must("job", "2").out()).contains("expected status 200-299, got 403: you sent (hidden)");
        assertThat(worked.out() + worked.err() + logged.toString(StandardCharsets.UTF_8))
                .contains("got 403")
                .doesNotContain(TOKEN);
        assertThat(Files.readString(prompt.store(), StandardCharsets.ISO_8859_1))
                .as("the whole file of the store")
                .contains("you sent (hidden)")
                .doesNotContain(TOKEN);
    }

    @Test
    void aVariableGoesToTheHostsThatItIsForAlone() {
        prompt.with(VARIABLE, "Bearer " + TOKEN);
        enqueueWithToken(url("/good"));
        String binding = VARIABLE + "=http://localhost:" + server.getAddress().getPort();
        prompt.must("work", "--once", "--allow-host", "127.0.0.1", "--http-env", binding);
        assertThat(sent.get()).as("nothing was called").isEmpty();
        assertThat(prompt.must("job", "1").out())
                .contains("job 1: failed")
                .contains("start the worker with --http-env " + VARIABLE + "=" + url(""));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aVariableForOneTypeDoesNotReachTheOther() {
        prompt.with(VARIABLE, TOKEN).with("FOR_COMMANDS", "canary-for-commands");
        prompt.must("enqueue", "shell", "--", "env");
        prompt.must("enqueue", "http", url("/good"), "--header-env", "Authorization=FOR_COMMANDS", "--attempts", "1");
        prompt.must(
                "work",
                "--once",
                "--allow-shell",
                "--allow-host",
                "127.0.0.1",
                "--http-env",
                VARIABLE + "=" + url(""),
                "--shell-env",
                "FOR_COMMANDS");
        assertThat(prompt.must("job", "1", "--json").json().at("/result/stdout").asString())
                .contains("FOR_COMMANDS=(hidden)")
                .doesNotContain(VARIABLE);
        assertThat(sent.get()).isEmpty();
        assertThat(prompt.must("job", "2").out()).contains("job 2: failed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/x?user=u&password=hunter2&connectTimeout=1",
                "jdbc:postgresql://u:hunter2@127.0.0.1:1/x?connectTimeout=1"
            })
    void aPasswordAmongTheArgumentsIsTakenWithAWarningAndNotRepeated(String url) {
        Prompt.Answer answer = prompt.run("status", "--store", url);
        assertThat(answer.err())
                .contains("--store: expected no password among the arguments")
                .contains("HEADGATE_STORE")
                .doesNotContain("hunter2");
        Prompt.Answer listening = prompt.run("status", "--listen", url);
        assertThat(listening.err())
                .contains("--listen: expected no password among the arguments")
                .contains("HEADGATE_LISTEN")
                .doesNotContain("hunter2");
        Prompt.Answer quiet = new Prompt(folder).with("HEADGATE_STORE", url).run("status");
        assertThat(quiet.err()).doesNotContain("--store: expected").doesNotContain("hunter2");
        assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("hunter2");
    }

    @Test
    void aNameOfAClassIsNotAHandler() {
        prompt.must("enqueue", "java.lang.ProcessBuilder", "{\"command\":[\"touch\",\"owned\"]}");
        prompt.must("enqueue", "dev.headgate.builtin.ShellRuns", "{\"command\":[\"touch\",\"owned\"]}");
        prompt.must(
                "enqueue",
                "echo",
                "{\"@class\":\"javax.naming.InitialContext\",\"x\":[\"java.net.URL\",\"http://e\"]}");
        prompt.must("work", "--once", "--allow-shell");
        assertThat(prompt.must("jobs", "--state", "parked", "--json")
                        .json()
                        .get("jobs")
                        .size())
                .isEqualTo(2);
        assertThat(prompt.must("job", "3", "--json").json().get("result").toString())
                .as("came back as the plain data it is")
                .isEqualTo("{\"@class\":\"javax.naming.InitialContext\",\"x\":[\"java.net.URL\",\"http://e\"]}");
    }
}
