package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code headgate top} where the output is no terminal. */
class TopCommandTest {
    @TempDir
    Path folder;

    private Prompt prompt;

    @BeforeEach
    void fill() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 2");
        prompt.must("enqueue", "noop", "--queue", "mail", "--gate", "api", "--count", "3");
        prompt.must("enqueue", "noop", "--queue", "video");
        prompt.must("pause", "queue", "video", "--by", "ada");
    }

    @Test
    void aPipeGetsOnePicture() {
        for (String[] command : new String[][] {{"top"}, {"top", "--once"}}) {
            Prompt.Answer answer = prompt.must(command);
            assertThat(answer.lines())
                    .anyMatch(line -> line.matches("mail +3 +0 +0 .* no worker"))
                    .anyMatch(line -> line.matches("video +1 +0 +0 .* paused by ada"))
                    .anyMatch(line -> line.matches("gate api +0 of 2 .*"))
                    .contains("no workers")
                    .anyMatch(line -> line.matches(" *1 +mail +noop .* api"));
            assertThat(answer.out()).doesNotContain("\u001b");
            assertThat(answer.err()).isEmpty();
        }
        assertThat(prompt.must("top", "--filter", "VIDEO").lines())
                .anyMatch(line -> line.startsWith("video "))
                .noneMatch(line -> line.startsWith("mail "))
                .contains("no gates match 'VIDEO'");
    }

    @Test
    void machinesGetADocumentForEachLook() {
        JsonNode top = prompt.must("top", "--once", "--json").json();
        assertThat(top.at("/queues/0/name").asString()).isEqualTo("mail");
        assertThat(top.at("/gates/0/name").asString()).isEqualTo("api");
        assertThat(top.at("/paused/0/name").asString()).isEqualTo("video");
        assertThat(top.at("/waits/0/id").asInt()).isEqualTo(1);
        assertThat(top.at("/waits/0/waitedMs").asInt()).isNotNegative();
        assertThat(top.at("/waits/0/at").isNull()).isTrue();
        Prompt.Answer stopped = prompt.signalled(143).run("top", "--json");
        assertThat(stopped.exit()).isEqualTo(143);
        assertThat(stopped.lines()).singleElement().asString().startsWith("{\"store\":");
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThat(prompt.run("top", "--every", "1ms").err()).contains("--every: expected 100ms or more, got 1 ms");
        assertThat(prompt.run("top", "--json", "--filter", "x").exit()).isEqualTo(ExitCode.USAGE);
    }
}
