package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TypesCommandTest {
    @TempDir
    Path folder;

    @Test
    void whatRunsHaveShownIsListed() {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "noop", "--count", "6");
        assertThat(prompt.must("types").out()).contains("nothing is known yet");
        prompt.must("work", "--once");
        assertThat(prompt.must("types").lines())
                .anyMatch(line -> line.matches("TYPE +DECLARED +EXPECTED +RUNS +TIME +MEMORY"))
                .anyMatch(line -> line.matches("noop +6 +\\S.* most of \\d runs measured"));
        JsonNode noop = prompt.must("types", "--json").json().at("/types/0");
        assertThat(noop.get("type").asString()).isEqualTo("noop");
        assertThat(noop.get("runs").asInt()).isEqualTo(6);
        assertThat(noop.get("measuredRuns").asInt()).isBetween(5, 6);
    }
}
