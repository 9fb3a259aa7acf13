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
                .anyMatch(line -> line.matches("TYPE +DECLARED +EXPECTED +RUNS +TIME +MEMORY +POLICY"))
                .anyMatch(line -> line.matches("noop +6 +\\S.* most of \\d runs measured"));
        JsonNode noop = prompt.must("types", "--json").json().at("/types/0");
        assertThat(noop.get("type").asString()).isEqualTo("noop");
        assertThat(noop.get("runs").asInt()).isEqualTo(6);
        assertThat(noop.get("measuredRuns").asInt()).isBetween(5, 6);
        assertThat(noop.get("requires").isEmpty()).isTrue();
        assertThat(noop.get("defaults").isNull()).isTrue();
    }

    @Test
    void policiesOfTypesAreListed() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 3");
        prompt.must("policy", "set", "type", "no*", "requires api");
        prompt.must("policy", "set", "type", "ask", "defaults gate=api cost=5");
        assertThat(prompt.must("types").lines())
                .anyMatch(line -> line.matches("ask +0 +no run has ended +defaults gate=api cost=5"))
                .anyMatch(line -> line.matches("no\\* +0 +no run has ended +requires api"));
        prompt.must("enqueue", "noop", "--gate", "api");
        prompt.must("work", "--once");
        JsonNode types = prompt.must("types", "--json").json().at("/types");
        assertThat(types.at("/0/type").asString()).isEqualTo("ask");
        assertThat(types.at("/0/defaults").asString()).isEqualTo("defaults gate=api cost=5");
        assertThat(types.at("/0/runs").asInt()).isZero();
        assertThat(types.at("/2/type").asString()).isEqualTo("noop");
        assertThat(types.at("/2/requires/0").asString()).as("by the pattern").isEqualTo("api");
    }
}
