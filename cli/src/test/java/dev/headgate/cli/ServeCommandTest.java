package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code serve} and {@code token}, as people type them. */
class ServeCommandTest {
    @TempDir
    Path folder;

    private Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    @Test
    void aTokenIsMadeListedAndRevokedAndItsSecretShownOnce() throws Exception {
        Prompt.Answer made =
                prompt.must("token", "create", "mailer", "--right", "enqueue", "--queue", "mail", "--lifetime", "90d");
        assertThat(made.out()).matches("hg_[A-Za-z0-9_-]{43}\n");
        assertThat(made.err()).contains("'mailer'", "only time");
        Prompt.Answer list = prompt.must("token", "--json");
        JsonNode token = list.json().get("tokens").get(0);
        assertThat(token.get("rights")).hasToString("[\"enqueue\"]");
        assertThat(token.get("queues")).hasToString("[\"mail\"]");
        assertThat(token.get("expiresAt").isNull()).isFalse();
        assertThat(list.out() + prompt.must("token", "list").out())
                .doesNotContain(made.out().strip());
        assertThat(new String(Files.readAllBytes(prompt.store()), java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain(made.out().strip());
        String id = token.get("id").asString();
        assertThat(prompt.must("token", "revoke", id).out()).contains("revoked");
        assertThat(prompt.run("token", "revoke", id).exit()).isEqualTo(ExitCode.BAD);
        assertThat(prompt.must("token").out()).contains("no tokens");
    }

    @Test
    void theSecretIsInTheDocumentForMachines() {
        JsonNode made = prompt.must("token", "create", "ci", "--right", "read", "--json")
                .json();
        assertThat(made.get("secret").asString()).startsWith("hg_");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            token create x                          | --right
            token create x --right write            | expected read, payloads, enqueue
            token create x --right read --queue a*b | * at its end
            token create x --right read --lifetime 0s | lifetime
            serve --port 70000                      | port
            serve --base-path headgate/             | base path
            serve --allow-host a:80                 | without a port
            serve --address 0.0.0.0                 | --behind-tls
            """)
    void wrongInputIsToldAndNothingIsMade(String command, String told) {
        Prompt.Answer answer = prompt.run(command.split(" ", -1));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).contains(told);
        if (command.startsWith("token")) {
            assertThat(prompt.store()).doesNotExist();
        }
    }

    @Test
    void aPortThatIsTakenIsTold() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Prompt.Answer answer = prompt.run("serve", "--port", String.valueOf(taken.getLocalPort()));
            assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
            assertThat(answer.err()).contains("expected to listen on 127.0.0.1, port " + taken.getLocalPort());
        }
    }

    @Test
    void servingTellsWhereAndStopsWhenAsked() {
        Prompt.Answer served = prompt.signalled(130).run("serve", "--port", "0");
        assertThat(served.exit()).isEqualTo(130);
        assertThat(served.out()).contains("at http://127.0.0.1:");
        assertThat(served.err()).contains("no token yet");
        assertThat(prompt.signalled(0)
                        .run("serve", "--port", "0", "--json")
                        .json()
                        .get("port")
                        .asInt())
                .isPositive();
    }
}
