package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** simulate: the backlog or jobs to come, under stored limits or a file's. */
class SimulateCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 2");
    }

    @Test
    void theBacklogIsPlayedAndLeftAsItIs() {
        prompt.must("enqueue", "noop", "--count", "5", "--gate", "api");
        Prompt.Answer answer = prompt.must("simulate", "--run", "10s");
        assertThat(answer.lines().getFirst()).isEqualTo("5 jobs started with 10 slots, the last after 20 s");
        assertThat(answer.out()).contains("gate api").contains("concurrency 2: 83 %");
        assertThat(answer.lines().get(1)).isEqualTo("run times assumed: 10 s for every job; and 5 ms for the turn");
        var json = prompt.must("simulate", "--run", "10s", "--turn", "0s", "--slots", "1", "--json")
                .json();
        assertThat(json.get("lastStartMs").asLong()).isEqualTo(40_000);
        assertThat(json.at("/keys/1/name").asString()).isEqualTo("api");
        assertThat(json.at("/keys/1/waitP50Ms").asLong()).isEqualTo(20_000);
        assertThat(prompt.must("jobs", "--json").json().at("/jobs/0/state").asString())
                .isEqualTo("queued");
        assertThat(prompt.must("simulate").err()).contains("no job of type noop has succeeded yet");
    }

    @Test
    void theTurnOfAWorkerIsPartOfARun() {
        prompt.must("enqueue", "noop", "--count", "200", "--gate", "api");
        var json = prompt.must("simulate", "--run", "5ms", "--slots", "1", "--json")
                .json();
        assertThat(json.get("lastEndMs").asLong()).as("200 runs and 200 turns").isEqualTo(2_000);
        assertThat(json.get("turnMs").asLong()).isEqualTo(5);
        assertThat(json.at("/runTimes/0/source").asString()).isEqualTo("told");
    }

    /** A tenth of the runs take most of the time; the median knows nothing of them. */
    @Test
    void aFewLongRunsAmongManyShortOnesCount() {
        prompt.must("enqueue", "sleep", "{\"ms\":1}", "--count", "18");
        prompt.must("enqueue", "sleep", "{\"ms\":500}", "--count", "2");
        prompt.must("work", "--once", "--slots", "1");
        long spent = 0;
        for (var job : prompt.must("jobs", "--type", "sleep", "--json").json().get("jobs")) {
            spent += Duration.between(
                            Instant.parse(job.get("startedAt").asString()),
                            Instant.parse(job.get("finishedAt").asString()))
                    .toMillis();
        }
        prompt.must("enqueue", "sleep", "{\"ms\":1}", "--count", "100");
        Prompt.Answer answer = prompt.must("simulate", "--slots", "1", "--json");
        assertThat(answer.json().get("lastEndMs").asLong())
                .as("five times what twenty took")
                .isCloseTo(5 * spent, Percentage.withPercentage(5));
        assertThat(answer.json().at("/runTimes/0/runs").asInt()).isEqualTo(20);
        assertThat(prompt.must("simulate").out())
                .containsPattern(
                        "run times assumed: sleep as its latest 20 runs, \\d+ m?s in the median with its turns");
    }

    @Test
    void aFileIsLaidOverTheStoredPolicies() throws IOException {
        prompt.must("enqueue", "noop", "--count", "5", "--gate", "api");
        Path file = folder.resolve("limits.yaml");
        Files.writeString(file, "gates: { api: { limits: [concurrency 5] } }");
        assertThat(prompt.must("simulate", "--run", "10s", "--policy", file.toString(), "--json")
                        .json()
                        .get("lastStartMs")
                        .asLong())
                .isZero();
        assertThat(prompt.must("policy", "list").out()).contains("concurrency 2");
    }

    @Test
    void jobsToComeArePlayedWithoutTheBacklog() {
        prompt.must("enqueue", "noop", "--count", "5", "--gate", "api");
        var json = prompt.must(
                        "simulate",
                        "--arrivals",
                        "1/1s for 10s gate api run 4s",
                        "--arrivals",
                        "3 queue mail cost 2 after 1m",
                        "--turn",
                        "0s",
                        "--json")
                .json();
        assertThat(json.get("jobs").asInt()).isEqualTo(13);
        assertThat(json.get("lastStartMs").asLong()).isEqualTo(60_000);
        assertThat(json.at("/keys/2/waitMaxMs").asLong())
                .as("two at once, 4 s each: the ninth and tenth start at 16 s")
                .isEqualTo(8_000);
    }

    @Test
    void wrongInputIsExplained() {
        assertThat(prompt.run("simulate", "--arrivals", "1/1s").err()).contains("a rate and 'for' go together");
        assertThat(prompt.run("simulate", "--arrivals", "many").err()).contains("'many' is not a whole number");
        assertThat(prompt.run("simulate", "--arrivals", "5 gat x").err()).contains("unknown word 'gat'");
        assertThat(prompt.run("simulate", "--arrivals", "5 gate").err()).contains("nothing follows 'gate'");
        assertThat(prompt.run("simulate", "--arrivals", "9999999").err()).contains("at most 1000000 jobs");
        assertThat(prompt.run("simulate", "--slots", "0").err()).contains("slots: expected at least 1, got 0");
        assertThat(prompt.run("simulate", "--duration", "0s").err()).contains("--duration: expected more than zero");
        assertThat(prompt.must("simulate").lines().getFirst()).isEqualTo("no job starts");
    }
}
