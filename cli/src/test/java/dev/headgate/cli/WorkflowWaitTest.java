package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What workflow list, show, draw and timeline say of steps that wait. */
class WorkflowWaitTest {
    private static final Workflow<Integer, Integer> FETCH = Workflow.named("fetch", 1, Integer.class)
            .forEach(
                    "pages",
                    count -> IntStream.range(0, count).boxed().toList(),
                    Integer.class,
                    Integer.class,
                    (page, step) -> page,
                    s -> s.gate("site"))
            .ignoringResults()
            .then("index", (count, step) -> count, s -> s.gate("site"))
            .build();

    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void register() {
        prompt = new Prompt(folder);
        new Runs(prompt, FETCH);
    }

    private void work(Workflow<?, ?>... known) throws InterruptedException {
        try (Headgate headgate = prompt.open()) {
            List.of(known).forEach(headgate.workflows()::register);
            try (Worker worker = headgate.worker("default").start()) {
                worker.awaitIdle(Duration.ofSeconds(20));
            }
        }
    }

    private List<String> lines(String... command) {
        return prompt.must(command).lines();
    }

    @Test
    void itemsThatWaitAtAGateAreNotShownAsRunning() throws InterruptedException {
        prompt.must("gate", "hold", "site", "1h");
        prompt.must("workflow", "start", "fetch", "25");
        work(FETCH);
        assertThat(lines("workflow", "show", "1"))
                .contains("run 1: joining at step 'pages'", "  steps        25 waiting at gate site");
        assertThat(lines("workflow", "draw", "1"))
                .anyMatch(line -> line.matches("│  ├─ ◌ pages \\[0]  waiting at gate site, .*s"))
                .contains("│  └─ … 5 more  5 waiting at gate site");
        assertThat(lines("workflow", "timeline", "1").getLast()).isEqualTo("now: 25 waiting at gate site");
        assertThat(prompt.must("workflow", "timeline", "1", "--json")
                        .json()
                        .at("/steps/0/jobs")
                        .asInt())
                .isEqualTo(25);
        JsonNode item = prompt.must("workflow", "show", "2", "--json").json();
        assertThat(item.get("work").get("stand").asString()).isEqualTo("at_gate");
        assertThat(item.get("work").get("where").asString()).isEqualTo("gate site");
        assertThat(item.at("/steps/0/text").asString()).isEqualTo("waiting at gate site");
        assertThat(lines("workflow", "show", "2"))
                .contains("run 2: waiting at step 'pages.each'")
                .anyMatch(line -> line.matches("  job +[0-9]+: waiting at gate site: held.*"));
    }

    @Test
    void aRunThatNoWorkerServesOrKnowsSaysSo() throws InterruptedException {
        prompt.must("workflow", "start", "fetch", "0");
        assertThat(lines("workflow").getLast())
                .matches("  1  waiting +fetch@1 +pages .* waiting: no live worker serves queue default");
        assertThat(lines("workflow", "draw", "1").getFirst())
                .matches("◌ run 1 of fetch@1  waiting: no live worker serves queue default, .*s");
        work();
        assertThat(lines("workflow", "show", "1"))
                .contains("run 1: waiting at step 'pages'")
                .anyMatch(line -> line.matches("  job +[0-9]+: parked \\(UNKNOWN_HANDLER\\): .*"));
        assertThat(lines("workflow").getLast()).endsWith("waiting: no worker knows 'fetch@1/~advance'");
    }
}
