package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** schedule list, add, show, next, edit, pause, resume and remove. */
class ScheduleCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    private Prompt.Answer addNightly() {
        return prompt.must(
                "schedule",
                "add",
                "nightly",
                "echo",
                "{\"a\":1}",
                "--cron",
                "0 3 * * *",
                "--zone",
                "Europe/Berlin",
                "--queue",
                "reports",
                "--gate",
                "api",
                "--attempts",
                "2",
                "--missed",
                "all");
    }

    @Test
    void aScheduleIsAddedListedAndShown() {
        assertThat(addNightly().out()).startsWith("schedule 'nightly': created; next run 2");
        assertThat(prompt.must("schedule").out())
                .contains("nightly", "cron 0 3 * * * in Europe/Berlin", "echo", "reports", "in ");
        JsonNode shown = prompt.must("schedule", "show", "nightly", "--json").json();
        assertThat(shown.get("timing").asString()).isEqualTo("cron 0 3 * * * in Europe/Berlin");
        assertThat(shown.get("missed").asString()).isEqualTo("all");
        assertThat(shown.get("overlap").asString()).isEqualTo("allow");
        assertThat(shown.get("payload").get("a").asInt()).isEqualTo(1);
        assertThat(shown.get("gates").get(0).asString()).isEqualTo("api");
        assertThat(shown.get("runs").isEmpty()).isTrue();
        assertThat(prompt.must("schedule", "show", "nightly").out()).contains("schedule 'nightly': cron", "attempts");
        assertThat(prompt.must("schedules", "list", "--json")
                        .json()
                        .get("schedules")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void aWorkerThatWorksOnceRunsWhatIsDue() {
        prompt.must("schedule", "add", "now", "echo", "{\"a\":1}", "--once", "2026-01-01T00:00:00Z");
        prompt.must("work", "--once");
        JsonNode shown = prompt.must("schedule", "show", "now", "--json").json();
        assertThat(shown.get("runs").get(0).get("state").asString()).isEqualTo("succeeded");
        assertThat(shown.get("runs").get(0).get("at").asString()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(prompt.must("job", "1").out()).contains("schedule     now, for 2026-01-01T00:00:00Z");
        assertThat(prompt.must("job", "1", "--json")
                        .json()
                        .get("schedule")
                        .get("name")
                        .asString())
                .isEqualTo("now");
        assertThat(prompt.must("schedule", "list").out()).contains("done");
        assertThat(prompt.must("schedule", "next", "now").out()).contains("done, no further runs");
        assertThat(prompt.must("schedule", "show", "now").out()).contains("RUN OF", "succeeded");
    }

    @Test
    void aNameThatIsTakenIsNotOverwrittenUnlessThatIsSaid() {
        addNightly();
        assertThat(prompt.run("schedule", "add", "nightly", "noop", "--every", "1h"))
                .satisfies(answer -> {
                    assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
                    assertThat(answer.err()).contains("schedule 'nightly': there is one already", "--replace");
                });
        assertThat(prompt.must("schedule", "add", "nightly", "noop", "--every", "1h", "--replace")
                        .out())
                .startsWith("schedule 'nightly': changed");
    }

    @Test
    void anEditChangesWhatIsGiven() {
        addNightly();
        prompt.must(
                "schedule", "edit", "nightly", "--cron", "30 4 * * *", "--overlap", "skip", "--payload", "{\"a\":2}");
        JsonNode shown = prompt.must("schedule", "show", "nightly", "--json").json();
        assertThat(shown.get("timing").asString()).as("the zone stays").isEqualTo("cron 30 4 * * * in Europe/Berlin");
        assertThat(shown.get("overlap").asString()).isEqualTo("skip");
        assertThat(shown.get("missed").asString()).isEqualTo("all");
        assertThat(shown.get("payload").get("a").asInt()).isEqualTo(2);
        assertThat(shown.get("queue").asString()).isEqualTo("reports");
        prompt.must("schedule", "edit", "nightly", "--zone", "Asia/Tokyo", "--priority", "7");
        shown = prompt.must("schedule", "show", "nightly", "--json").json();
        assertThat(shown.get("timing").asString()).isEqualTo("cron 30 4 * * * in Asia/Tokyo");
        assertThat(shown.get("priority").asInt()).isEqualTo(7);
        assertThat(prompt.must("schedule", "edit", "nightly").out()).contains("unchanged");
    }

    @Test
    void pauseResumeAndRemove() {
        addNightly();
        assertThat(prompt.must("schedule", "pause", "nightly").out()).isEqualTo("schedule 'nightly': paused\n");
        assertThat(prompt.must("schedule", "next", "nightly").out()).contains("paused");
        assertThat(prompt.must("schedule", "list").out()).contains("paused");
        prompt.must("schedule", "resume", "nightly");
        assertThat(prompt.must("schedule", "next", "nightly", "--count", "3", "--json")
                        .json()
                        .get("runs")
                        .size())
                .isEqualTo(3);
        assertThat(prompt.must("schedule", "remove", "nightly", "--json")
                        .json()
                        .get("answer")
                        .asString())
                .isEqualTo("removed");
        assertThat(prompt.must("schedule").out()).isEqualTo("no schedules\n");
    }

    @Test
    void aTimingCanBeTriedBeforeItIsStored() {
        List<String> lines = prompt.must(
                        "schedule", "next", "--cron", "0 3 * * *", "--zone", "Asia/Tokyo", "--count", "2")
                .lines();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).contains("T18:00:00Z", "03:00:00 +09:00", "in ");
    }

    static Stream<Arguments> badInput() {
        return Stream.of(
                Arguments.of(ExitCode.USAGE, "--cron, --every or --once", List.of("add", "s", "echo")),
                Arguments.of(
                        ExitCode.USAGE,
                        "got 2 of them",
                        List.of("add", "s", "echo", "--cron", "@daily", "--every", "1m")),
                Arguments.of(ExitCode.USAGE, "cron '61 * * * *'", List.of("add", "s", "echo", "--cron", "61 * * * *")),
                Arguments.of(ExitCode.USAGE, "got 4", List.of("add", "s", "echo", "--cron", "* * * *")),
                Arguments.of(ExitCode.USAGE, "never does", List.of("add", "s", "echo", "--cron", "0 0 30 2 *")),
                Arguments.of(
                        ExitCode.USAGE,
                        "did you mean Europe/Berlin?",
                        List.of("add", "s", "echo", "--cron", "@daily", "--zone", "Berlin")),
                Arguments.of(
                        ExitCode.USAGE,
                        "intervals and instants have none",
                        List.of("add", "s", "echo", "--every", "1m", "--zone", "UTC")),
                Arguments.of(ExitCode.USAGE, "every: expected 1s", List.of("add", "s", "echo", "--every", "10ms")),
                Arguments.of(
                        ExitCode.USAGE,
                        "--from: expected --every",
                        List.of("add", "s", "echo", "--cron", "@daily", "--from", "now")),
                Arguments.of(
                        ExitCode.USAGE,
                        "expected one of skip, one, all",
                        List.of("add", "s", "echo", "--every", "1m", "--missed", "some")),
                Arguments.of(
                        ExitCode.USAGE,
                        "expected one of allow, skip, buffer",
                        List.of("add", "s", "echo", "--every", "1m", "--overlap", "x")),
                Arguments.of(
                        ExitCode.USAGE,
                        "got at(…)",
                        List.of("add", "s", "echo", "--every", "1m", "--at", "2030-01-01T00:00:00Z")),
                Arguments.of(ExitCode.USAGE, "payload of 'echo'", List.of("add", "s", "echo", "{", "--every", "1m")),
                Arguments.of(ExitCode.USAGE, "a timing, got neither", List.of("next")),
                Arguments.of(ExitCode.USAGE, "a timing, got both", List.of("next", "there", "--every", "1m")),
                Arguments.of(ExitCode.USAGE, "--count: expected 1 to 1000", List.of("next", "there", "--count", "0")),
                Arguments.of(ExitCode.USAGE, "zone: expected a cron", List.of("edit", "there", "--zone", "UTC")),
                Arguments.of(ExitCode.BAD, "did you mean 'there'?", List.of("show", "ther")),
                Arguments.of(ExitCode.BAD, "no such schedule", List.of("pause", "nowhere")),
                Arguments.of(ExitCode.BAD, "no such schedule", List.of("edit", "nowhere")));
    }

    @ParameterizedTest
    @MethodSource("badInput")
    void badInputIsRefusedWithWhatToDo(int exit, String message, List<String> words) {
        prompt.must("schedule", "add", "there", "echo", "--every", "1h");
        Prompt.Answer answer =
                prompt.run(Stream.concat(Stream.of("schedule"), words.stream()).toArray(String[]::new));
        assertThat(answer.err()).contains(message);
        assertThat(answer.exit()).isEqualTo(exit);
        assertThat(prompt.must("schedule", "--json").json().get("schedules").size())
                .isEqualTo(1);
    }
}
