package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** workflow list, start, show, draw, timeline, signal and definitions. */
class WorkflowCommandTest {
    record Order(String item, int cents) {}

    record Paid(int cents) {}

    private static final Workflow<Order, Order> SHIP = Workflow.named("ship", 1, Order.class)
            .then("reserve", (order, step) -> order, s -> s.cost(4))
            .awaitSignal("paid", Paid.class, (order, paid) -> new Order(order.item(), paid.cents()))
            .sleep("cool-off", Duration.ofMillis(1))
            .then("hand-over", (order, step) -> {
                if (order.cents() < 0) {
                    throw new PermanentFailure("no carrier takes \u001b[31mthis");
                }
                return order;
            })
            .build();

    private static final List<String> SUBCOMMANDS = List.of(
            "list",
            "start",
            "show",
            "draw",
            "timeline",
            "signal",
            "approve",
            "reject",
            "pause",
            "resume",
            "cancel",
            "retry",
            "rewind",
            "top-up",
            "artifacts",
            "export",
            "definitions");

    @TempDir
    Path folder;

    Prompt prompt;
    Runs runs;

    @BeforeEach
    void register() {
        prompt = new Prompt(folder);
        runs = new Runs(prompt, SHIP);
    }

    private void begun() throws InterruptedException {
        prompt.must(
                "workflow",
                "start",
                "ship",
                "{\"item\":\"lamp\",\"cents\":0}",
                "--key",
                "order-7",
                "--budget",
                "maxCostUnits=5",
                "--budget",
                "maxWallTime=1h");
        runs.goOn();
    }

    @Test
    void aRunIsStartedOnceForEachKey() {
        String[] start = {"workflow", "start", "ship", "{\"item\":\"lamp\",\"cents\":0}", "--key", "order-7"};
        assertThat(prompt.must(start).lines()).containsExactly("run 1 of ship@1 started");
        assertThat(prompt.must(start).lines()).containsExactly("run 1 has the key 'order-7'; nothing was started");
        JsonNode again = prompt.must("workflow", "start", "ship@1", "--key", "order-7", "--json")
                .json();
        assertThat(again.get("id").asInt()).isEqualTo(1);
        assertThat(again.get("new").asBoolean()).isFalse();
        assertThat(prompt.typing("{\"item\":\"desk\",\"cents\":0}")
                        .must("workflow", "start", "ship", "@-")
                        .lines())
                .singleElement()
                .asString()
                .matches("run [2-9] of ship@1 started");
    }

    @Test
    void aStartStaysWithinTheBudgetOfItsDefinition() {
        new Runs(
                prompt,
                Workflow.named("frugal", 1, Order.class)
                        .budget(b -> b.maxCostUnits(5).maxWallTime(Duration.ofHours(1)))
                        .then("one", (order, step) -> order)
                        .build());
        Prompt.Answer refused = prompt.run("workflow", "start", "frugal", "--budget", "maxCostUnits=6");
        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .contains("expected a budget within that of its definition, maxCostUnits of at most 5, got 6");
        assertThat(prompt.must("workflow").lines()).containsExactly("no such runs");
        prompt.must("workflow", "start", "frugal", "{}", "--budget", "maxCostUnits=4");
        assertThat(prompt.must("workflow", "show", "1", "--json")
                        .json()
                        .at("/budget/7/limit")
                        .asLong())
                .isEqualTo(3_600_000);
        assertThat(prompt.must("workflow", "definitions", "frugal").lines())
                .contains("budget of a run, and the most of a start: maxCostUnits 5, maxWallTime 1 h");
        assertThat(prompt.must("workflow", "definitions", "frugal", "--json")
                        .json()
                        .get("budget")
                        .toString())
                .isEqualTo("{\"maxCostUnits\":5,\"maxWallTime\":3600000}");
    }

    @Test
    void aRunIsShownWithItsWholeBudget() throws InterruptedException {
        begun();
        assertThat(prompt.must("workflow", "show", "1").lines())
                .contains(
                        "run 1: awaiting at step 'paid'",
                        "  workflow     ship@1",
                        "  key          order-7",
                        "  waits for    paid",
                        "  data         {\"item\":\"lamp\",\"cents\":0}")
                .anyMatch(line -> line.matches("BUDGET +LIMIT +USED +RESERVED +LEFT +USED %"))
                .anyMatch(line -> line.matches("maxCostUnits +5 +4 +0 +1 +80 +warning: at least 80 % are gone"))
                .anyMatch(line -> line.matches("maxWallTime +1 h +[0-9.]+ m?s .* 0"));
        JsonNode run = prompt.must("workflow", "show", "1", "--json").json();
        assertThat(run.get("state").asString()).isEqualTo("awaiting");
        assertThat(run.at("/data/item").asString()).isEqualTo("lamp");
        JsonNode cost = run.get("budget")
                .valueStream()
                .filter(line -> line.get("guardrail").asString().equals("maxCostUnits"))
                .findFirst()
                .orElseThrow();
        assertThat(cost.toString())
                .isEqualTo("{\"guardrail\":\"maxCostUnits\",\"unit\":\"count\",\"limit\":5,\"used\":4,\"reserved\":0,"
                        + "\"left\":1,\"percent\":80,\"warning\":true}");
    }

    @Test
    void aSignalLetsItGoOn() throws InterruptedException {
        begun();
        assertThat(prompt.must("workflow", "signal", "1", "paid", "{\"cents\":42}")
                        .lines())
                .containsExactly("run 1: signal 'paid' sent");
        runs.goOn();
        assertThat(prompt.must("workflow", "show", "1").lines())
                .contains("run 1: succeeded", "  result       {\"item\":\"lamp\",\"cents\":42}");
        assertThat(prompt.must("workflow", "timeline", "1").lines())
                .anyMatch(line -> line.matches(".* 1 +1  started +reserve"))
                .anyMatch(line -> line.matches(".* warned .*maxCostUnits.*"))
                .anyMatch(line -> line.endsWith("succeeded  hand-over"));
        assertThat(prompt.must("workflow", "timeline", "1", "--json")
                        .json()
                        .at("/events/0/data/item")
                        .asString())
                .isEqualTo("lamp");
    }

    @Test
    void runsAreListedNewestFirstAndInPages() throws InterruptedException {
        begun();
        prompt.must("workflow", "start", "ship", "{\"item\":\"desk\",\"cents\":0}");
        assertThat(prompt.must("workflows").lines().get(1))
                .matches("  2  waiting +ship@1 +reserve +- .* waiting: no live worker serves queue default");
        assertThat(prompt.must("workflow", "list", "--state", "awaiting").lines())
                .hasSize(2)
                .last()
                .asString()
                .matches("  1  awaiting  ship@1 +paid +order-7 .* maxCostUnits 80 % +waits for 'paid'");
        Prompt.Answer page = prompt.must("workflow", "--limit", "1");
        assertThat(page.err()).contains("--before 2");
        assertThat(prompt.must("workflow", "--before", "2", "--workflow", "ship", "--json")
                        .json()
                        .at("/runs/0/key")
                        .asString())
                .isEqualTo("order-7");
        assertThat(prompt.must("workflow", "--state", "failed").lines()).containsExactly("no such runs");
    }

    @Test
    void aRunIsDrawn() throws InterruptedException {
        begun();
        assertThat(prompt.must("workflow", "draw", "1").lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("◌ run 1 of ship@1  awaiting, .*s: waits for 'paid'"),
                        line -> assertThat(line).matches("├─ ✓ reserve  .*s"),
                        line -> assertThat(line).isEqualTo("├─ ◌ paid (await)  awaiting"),
                        line -> assertThat(line).isEqualTo("├─ · cool-off (sleep)"),
                        line -> assertThat(line).isEqualTo("└─ · hand-over"));
        assertThat(prompt.must("workflow", "tree", "1", "--json")
                        .json()
                        .at("/below/1/look")
                        .asString())
                .isEqualTo("waiting");
        assertThat(prompt.must("workflow", "draw", "1", "--mermaid").lines())
                .startsWith("flowchart TD")
                .anyMatch(line -> line.matches(" +n1\\[\"reserve<br/>.*\"\\]:::done"))
                .contains("    n1 --> n2", "    n4[\"hand-over\"]:::to_come");
    }

    @Test
    void storedTextCannotDriveTheTerminalOrTheChart() throws InterruptedException {
        Workflow<Order, Order> odd = Workflow.named("odd\u202e\"]", 1, Order.class)
                .then("<b>\"x`", (order, step) -> order)
                .awaitSignal("paid", Paid.class, (order, paid) -> order)
                .build();
        runs = new Runs(prompt, SHIP, odd);
        prompt.must(
                "workflow", "start", odd.name(), "{\"item\":\"\\u001b[31m\u009b\",\"cents\":0}", "--key", "🦊\u202e");
        prompt.must("workflow", "start", "ship", "{\"item\":\"lamp\",\"cents\":0}");
        prompt.must("workflow", "signal", "2", "paid", "{\"cents\":-1}");
        runs.goOn();
        for (String[] command : new String[][] {
            {"workflow"},
            {"workflow", "show", "1"},
            {"workflow", "show", "2"},
            {"workflow", "draw", "1"},
            {"workflow", "draw", "2"},
            {"workflow", "draw", "1", "--mermaid"},
            {"workflow", "timeline", "1", "--data"},
            {"workflow", "timeline", "2"},
            {"workflow", "definitions"},
            {"workflow", "definitions", odd.name()},
            {"workflow", "--json"}
        }) {
            String shown = prompt.must(command).out();
            assertThat(shown.chars().filter(c -> c != '\n').noneMatch(c -> Character.isISOControl(c) || c == '\u202e'))
                    .as(shown)
                    .isTrue();
        }
        assertThat(prompt.must("workflow", "draw", "1", "--mermaid").lines())
                .anyMatch(line -> line.contains("[\"#60;b#62;#34;x#96;"));
    }

    @Test
    void definitionsAreListedWithTheirSteps() {
        assertThat(prompt.must("workflow", "definitions").lines().get(1)).matches("ship +1  default +4  -  .* ago");
        assertThat(prompt.must("workflow", "definitions", "ship").lines())
                .contains("  then reserve", "  await paid", "  sleep cool-off", "  then hand-over");
        assertThat(prompt.must("workflow", "definitions", "--json")
                        .json()
                        .at("/definitions/0/steps/0")
                        .asString())
                .isEqualTo("then reserve");
    }

    @Test
    void everySubcommandHasHelp() {
        for (String name : SUBCOMMANDS) {
            assertThat(prompt.must("workflow", name, "--help").out())
                    .contains("headgate workflow " + name)
                    .contains("--json");
            assertThat(prompt.must("help", "workflow").out()).contains("\n  " + name);
        }
    }

    private static Arguments wrong(int exit, String message, String... arguments) {
        return Arguments.of(exit, message, arguments);
    }

    static Stream<Arguments> wrongCommands() {
        return Stream.of(
                wrong(1, "workflow 'shop': never registered on this store; did you mean 'ship'?", "start", "shop"),
                wrong(1, "workflow 'shop': never registered on this store", "list", "--workflow", "shop"),
                wrong(1, "workflow 'ship': expected one of its versions [1], got '2'", "start", "ship@2"),
                wrong(2, "expected JSON text", "start", "ship", "{nope}"),
                wrong(
                        1,
                        "start of workflow 'ship' version 1: step 'reserve': maxStateBytes is 3, this needs 9; nothing was started",
                        "start",
                        "ship",
                        "{\"cts\":1}",
                        "--budget",
                        "maxStateBytes=3"),
                wrong(2, "--budget: expected NAME=VALUE such as maxCostUnits=500", "start", "ship", "--budget", "5"),
                wrong(2, "--budget: budget: expected one of maxTransitions", "start", "ship", "--budget", "maxFun=5"),
                wrong(
                        2,
                        "--budget maxCostUnits: expected a number from 1 on, got 'many'",
                        "start",
                        "ship",
                        "--budget",
                        "maxCostUnits=many"),
                wrong(
                        2,
                        "--budget maxWallTime: expected a span such as 90s or 1h, got '5'",
                        "start",
                        "ship",
                        "--budget",
                        "maxWallTime=5"),
                wrong(1, "run 99: there is no such run", "show", "99"),
                wrong(1, "run 99: there is no such run", "draw", "99"),
                wrong(1, "run 99: there is no such run", "timeline", "99"),
                wrong(1, "run 99: there is no such run", "signal", "99", "paid"),
                wrong(2, "run id: expected a positive number such as 4711, got 'x'", "show", "x"),
                wrong(2, "state: expected a known one, got 'asleep'", "list", "--state", "asleep"),
                wrong(2, "limit: expected 1 to 1000, got 0", "list", "--limit", "0"),
                wrong(2, "--children: expected 1 to 10000, got 0", "draw", "1", "--children", "0"),
                wrong(2, "unknown command 'shwo'; did you mean 'show'?", "shwo"));
    }

    @ParameterizedTest
    @MethodSource("wrongCommands")
    void isToldAndStartsNothing(int exit, String message, String[] arguments) {
        Prompt.Answer answer = prompt.run(
                Stream.concat(Stream.of("workflow"), Stream.of(arguments)).toArray(String[]::new));
        assertThat(answer.err()).contains(message).doesNotContain("\tat ");
        assertThat(answer.err().lines().filter(line -> line.startsWith("headgate: ")))
                .hasSize(1);
        assertThat(answer.exit()).isEqualTo(exit);
        assertThat(answer.out()).isEmpty();
        assertThat(prompt.must("workflow").lines()).containsExactly("no such runs");
    }
}
