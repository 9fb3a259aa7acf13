package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.workflow.Workflow;
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

/** workflow approve, reject, pause, resume, cancel, retry, rewind, top-up, artifacts and export; fan-outs drawn. */
class WorkflowSteeringTest {
    record Refund(String order, List<Integer> parcels) {}

    private static final Workflow<Integer, Integer> WEIGH = Workflow.named("weigh", 1, Integer.class)
            .then("put-on-scale", (parcel, step) -> parcel)
            .build();

    private static final Workflow<Refund, Refund> REFUND = Workflow.named("refund", 1, Refund.class)
            .then("check", (refund, step) -> {
                step.artifact("report", "order %s\nchecked".formatted(refund.order()));
                return refund;
            })
            .forEach("parcel", Refund::parcels, Integer.class, Integer.class, (parcel, step) -> {
                if (parcel == 13) {
                    throw new PermanentFailure("parcel 13 is lost");
                }
                return parcel;
            })
            .ignoringResults()
            .childForEach("weigh-all", WEIGH, Refund::parcels)
            .ignoringResults()
            .awaitApproval("boss")
            .then("pay", (refund, step) -> refund, s -> s.cost(5))
            .build();

    @TempDir
    Path folder;

    Prompt prompt;
    Runs runs;

    @BeforeEach
    void register() {
        prompt = new Prompt(folder);
        runs = new Runs(prompt, REFUND);
    }

    private void begun(String parcels) throws InterruptedException {
        prompt.must(
                "workflow",
                "start",
                "refund",
                "{\"order\":\"o-7\",\"parcels\":%s}".formatted(parcels),
                "--budget",
                "maxCostUnits=10");
        runs.goOn();
    }

    private String state() {
        return prompt.must("workflow", "show", "1", "--json")
                .json()
                .get("state")
                .asString();
    }

    @Test
    void whatWasApprovedGoesOnUntilTheBudgetEndsIt() throws InterruptedException {
        begun("[1,2,3]");
        assertThat(state()).isEqualTo("awaiting");
        assertThat(prompt.must("workflow", "approve", "1", "--by", "ada", "--because", "fair")
                        .lines())
                .containsExactly("run 1: 'boss' approved by ada");
        runs.goOn();
        assertThat(state()).isEqualTo("budget_exceeded");
        assertThat(prompt.must("workflow", "show", "1").out())
                .contains("maxCostUnits is 10, used are 7, this asks for 5 more")
                .contains("stopped by   maxCostUnits; raise it with 'workflow top-up 1 maxCostUnits=… --resume'")
                .containsPattern("maxCostUnits +10 +7 +0 +3 +70 +stopped the run");
        assertThat(prompt.must("workflow", "list").out()).contains("maxCostUnits 70 %");
        assertThat(prompt.must("workflow", "list", "--json").json().at("/runs/0/stoppedBy"))
                .singleElement()
                .satisfies(title -> assertThat(title.asString()).isEqualTo("maxCostUnits"));
        Prompt.Answer early = prompt.run("workflow", "top-up", "1", "maxFun=2");
        assertThat(early.exit()).isEqualTo(ExitCode.USAGE);
        JsonNode raised = prompt.must("workflow", "top-up", "1", "maxCostUnits=2", "--resume", "--json")
                .json();
        assertThat(raised.at("/budget/0/limit").asInt()).isEqualTo(12);
        assertThat(raised.get("resumed").asBoolean()).isTrue();
        runs.goOn();
        assertThat(state()).isEqualTo("succeeded");
        assertThat(prompt.must("workflow", "timeline", "1").lines())
                .anyMatch(line -> line.contains("budget exceeded"))
                .anyMatch(line -> line.contains("topped up"))
                .anyMatch(line -> line.contains("resumed"));
        assertThat(prompt.must("workflow", "draw", "1").lines())
                .anyMatch(line -> line.matches("└─ ✓ pay  .*s"))
                .anyMatch(line -> line.matches("│  ├─ ✓ parcel \\[0]  succeeded, .*"))
                .anyMatch(line -> line.matches("│  └─ ✓ run \\d+ of weigh@1  succeeded, .*"))
                .noneMatch(line -> line.contains("times"));
        assertThat(prompt.must("workflow", "draw", "1", "--children", "1").lines())
                .anyMatch(line -> line.equals("│  └─ … 2 more  2 succeeded"));
    }

    @Test
    void whatWasRejectedFailsAndBeginsAgain() throws InterruptedException {
        begun("[1]");
        prompt.must("workflow", "reject", "1", "boss", "--by", "ada", "--because", "no receipt");
        runs.goOn();
        assertThat(state()).isEqualTo("failed");
        assertThat(prompt.must("workflow", "show", "1").out()).contains("rejected by ada: no receipt");
        assertThat(prompt.must("workflow", "retry", "1").lines()).containsExactly("run 1: begins again where it stood");
        runs.goOn();
        assertThat(state()).isEqualTo("awaiting");
        assertThat(prompt.must("workflow", "rewind", "1", "check").lines())
                .containsExactly("run 1: begins again at step 'check'");
        runs.goOn();
        assertThat(state()).isEqualTo("awaiting");
        assertThat(prompt.must("workflow", "cancel", "1", "--json")
                        .json()
                        .get("answer")
                        .asString())
                .isEqualTo("done");
        runs.goOn();
        assertThat(state()).isEqualTo("cancelled");
        assertThat(prompt.must("workflow", "draw", "1").lines())
                .anyMatch(line -> line.startsWith("├─ ⊘ boss (await)  cancelled"))
                .contains("└─ · pay");
    }

    @Test
    void aPausedRunStandsStill() throws InterruptedException {
        prompt.must("workflow", "start", "refund", "{\"order\":\"o\",\"parcels\":[13]}");
        assertThat(prompt.must("workflow", "pause", "1").lines()).containsExactly("run 1: paused");
        runs.goOn();
        assertThat(state()).isEqualTo("paused");
        assertThat(prompt.must("workflow", "resume", "1").lines()).containsExactly("run 1: goes on");
        runs.goOn();
        assertThat(state()).isEqualTo("failed");
        assertThat(prompt.must("workflow", "draw", "1").lines())
                .anyMatch(line -> line.matches("│  └─ ✗ parcel \\[0]  failed, .*parcel 13 is lost"));
        assertThat(prompt.must("workflow", "draw", "1", "--mermaid").lines())
                .anyMatch(line -> line.contains(":::failed"));
    }

    @Test
    void artifactsAreListedAndShown() throws InterruptedException {
        begun("[]");
        assertThat(prompt.must("workflow", "artifacts", "1").lines()).containsExactly("report");
        assertThat(prompt.must("workflow", "artifact", "1", "report").lines()).containsExactly("order o-7", "checked");
        assertThat(prompt.must("workflow", "artifact", "1", "report", "--json")
                        .json()
                        .get("content")
                        .asString())
                .isEqualTo("order o-7\nchecked");
        JsonNode all = prompt.must("workflow", "export", "1").json();
        assertThat(all.at("/artifacts/report").asString()).isEqualTo("order o-7\nchecked");
        assertThat(all.get("timeline").size()).isGreaterThan(2);
    }

    private static Arguments wrong(int exit, String message, String... arguments) {
        return Arguments.of(exit, message, arguments);
    }

    static Stream<Arguments> wrongCommands() {
        return Stream.of(
                wrong(1, "run 9: there is no such run", "approve", "9"),
                wrong(1, "run 9: there is no such run", "pause", "9"),
                wrong(1, "run 9: there is no such run", "top-up", "9", "maxDepth=1"),
                wrong(1, "run 9: there is no such run", "export", "9"),
                wrong(1, "run 9: there is no such run", "artifacts", "9"),
                wrong(1, "run 1: no artifact 'reprot'; did you mean 'report'?", "artifact", "1", "reprot"),
                wrong(1, "run 1: expected one that is paused, or stopped by a budget", "resume", "1"),
                wrong(1, "expected one without a parent that failed or was cancelled, found it awaiting", "retry", "1"),
                wrong(2, "expected a step that it has entered, one of [", "rewind", "1", "pay"),
                wrong(2, "missing required parameter: 'NAME=BY'", "top-up", "1"),
                wrong(2, "top-up maxDepth: expected a number from 1 on, got '0'", "top-up", "1", "maxDepth=0"),
                wrong(2, "missing required parameter: 'STEP'", "rewind", "1"));
    }

    @ParameterizedTest
    @MethodSource("wrongCommands")
    void isToldAndChangesNothing(int exit, String message, String[] arguments) throws InterruptedException {
        begun("[]");
        int events = prompt.must("workflow", "timeline", "1").lines().size();
        Prompt.Answer answer = prompt.run(
                Stream.concat(Stream.of("workflow"), Stream.of(arguments)).toArray(String[]::new));
        assertThat(answer.err()).contains(message).doesNotContain("\tat ");
        assertThat(answer.exit()).isEqualTo(exit);
        assertThat(answer.out()).isEmpty();
        assertThat(prompt.must("workflow", "timeline", "1").lines()).hasSize(events);
    }
}
