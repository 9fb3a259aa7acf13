package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FiguresCommandTest {
    @TempDir
    Path folder;

    private Prompt worked() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "tenant:*", "concurrency 2");
        prompt.must("enqueue", "noop", "--queue", "mail", "--gate", "tenant:7", "--count", "3");
        prompt.must("enqueue", "fail", "--queue", "mail", "--attempts", "1");
        prompt.must("work", "--once", "--queues", "mail");
        return prompt;
    }

    @Test
    void anEmptyStoreHasNone() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 2");
        assertThat(prompt.must("figures").out()).isEqualTo("nothing was counted in this time\n");
    }

    @Test
    void asATableOfAllAndStepByStep() {
        Prompt prompt = worked();
        assertThat(prompt.must("figures").lines())
                .anyMatch(line -> line.matches("KIND +NAME +ENQUEUED +STARTED +SUCCEEDED +FAILED +.*STARTED"))
                .anyMatch(line -> line.matches("queue +mail +\\d +4 +3 +1 +0 +0 .*[▁█].*"))
                .anyMatch(line -> line.matches("type +noop +\\d +3 +3 +0 .*"))
                .anyMatch(line -> line.matches("gate +tenant:\\* +\\d +3 +3 +0 .*"))
                .noneMatch(line -> line.startsWith("key"));
        assertThat(prompt.must("figures", "--gate", "tenant:*", "--since", "10m", "--step", "1m")
                        .lines())
                .contains("gate tenant:*", "key tenant:7")
                .anyMatch(line -> line.matches("FROM +ENQUEUED +.*WAITED +RAN +STARTED"))
                .anyMatch(line -> line.matches("20.*Z +\\d +3 +3 +0 .*≤ .*█+"));
    }

    @Test
    void inJson() {
        JsonNode figures = worked().must("figures", "--type", "fail", "--since", "10m", "--step", "10m", "--json")
                .json();
        assertThat(figures.get("stepMs").asLong()).isEqualTo(600_000);
        assertThat(figures.at("/series/0/kind").asString()).isEqualTo("type");
        long failed = 0;
        for (JsonNode point : figures.at("/series/0/points")) {
            failed += point.get("failed").asLong();
        }
        assertThat(failed).isEqualTo(1);
    }

    @Test
    void wrongOptionsAreToldBeforeTheStoreIsOpened() {
        Prompt prompt = new Prompt(folder);
        assertThat(prompt.run("figures", "--queue", "a", "--type", "b").err())
                .contains("expected one of --queue, --type and --gate, got more");
        assertThat(prompt.run("figures", "--step", "15s").err()).contains("a multiple of 10 s");
        assertThat(prompt.run("figures", "--since", "1y").err()).contains("'1y'");
    }
}
