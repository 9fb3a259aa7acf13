package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The demo in small; it takes real time, because its provider does. The provider counts exactly as the gates do, so on a
 * machine that stands still for longer than the gate's margin it may refuse a call; then the demo has to say so.
 */
class DemoCommandTest {
    @TempDir
    Path folder;

    @Test
    void tellsWhetherEveryLimitHeldAndKeepsTheStore() {
        Prompt prompt = new Prompt(folder);
        Prompt.Answer answer = prompt.run("demo", "--jobs", "40", "--store", prompt.url());
        boolean isHeld = answer.lines().stream().anyMatch(line -> line.matches("429 answers +0 +0  held"));
        assertThat(answer.exit()).as(answer.out() + answer.err()).isEqualTo(isHeld ? ExitCode.OK : ExitCode.BAD);
        assertThat(answer.lines())
                .anyMatch(line -> line.matches("calls at the provider at once +5 +[1-5]  held"))
                .anyMatch(line -> line.matches("calls in any second +20 +\\d+  (held|BROKEN)"))
                .anyMatch(line -> line.matches("share of the allowed rate used +100 % +\\d+\\.\\d %"))
                .anyMatch(line -> line.matches("acme +24 +24 .*all at once"))
                .anyMatch(line -> line.startsWith("why does it wait? job ") && line.contains(" of acme is "))
                .anyMatch(line -> line.startsWith(isHeld ? "Every limit held: 40 calls in " : "2 limits BROKEN: "));
        assertThat(answer.out()).doesNotContain("\u001b");
        assertThat(prompt.must("jobs", "--queue", "demo", "--state", "succeeded", "--limit", "100")
                        .lines())
                .hasSize(41);
        assertThat(prompt.must("doctor").exit()).isZero();
    }

    @Test
    void inJson() {
        Prompt prompt = new Prompt(folder);
        Prompt.Answer answer = prompt.run("demo", "--jobs", "12", "--json");
        assertThat(answer.exit()).as(answer.out() + answer.err()).isZero(); // 12 are fewer than a second allows
        JsonNode json = answer.json();
        assertThat(json.get("held").asBoolean()).isTrue();
        assertThat(json.get("calls").asInt()).isEqualTo(12);
        assertThat(json.at("/limits/1/allowed").asInt()).isEqualTo(20);
        assertThat(json.at("/limits/2/limit").asString()).isEqualTo("429 answers");
        assertThat(json.at("/limits/2/observed").asInt()).isZero();
        assertThat(json.at("/tenants/0/tenant").asString()).isEqualTo("acme");
        assertThat(prompt.store()).as("a temporary one").doesNotExist();
    }

    @Test
    void aTerminalGetsBarsDrawnOverAndTheCursorBack() {
        Prompt prompt = new Prompt(folder).with("HEADGATE_COLUMNS", "100").with("TERM", "xterm");
        Prompt.Answer answer = prompt.must("demo", "--jobs", "12");
        assertThat(answer.out()).contains("\u001b[?25l").contains("█").containsPattern("\u001b\\[\\d+A");
        assertThat(answer.out().lastIndexOf("\u001b[?25h"))
                .isGreaterThan(answer.out().lastIndexOf("\u001b[?25l"));
    }

    @Test
    void doesNotReplaceLimitsThatAreNotItsOwn() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "provider", "concurrency 1");
        Prompt.Answer answer = prompt.run("demo", "--jobs", "10", "--store", prompt.url());
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.err()).contains("limits of its own for gate provider (concurrency 1)");
        assertThat(prompt.must("gate", "show", "provider").out()).contains("concurrency 1");
    }
}
