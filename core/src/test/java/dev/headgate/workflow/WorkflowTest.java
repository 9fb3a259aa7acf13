package dev.headgate.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.Move;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkflowTest {
    private static Flow<Integer, Integer> flow() {
        return Workflow.named("w", 1, Integer.class);
    }

    private static Flow<Integer, Integer> step(String name) {
        return flow().then(name, (n, step) -> n + 1);
    }

    @Test
    void theShapeTellsStepsAndTheirNesting() {
        Workflow<Integer, Integer> inner = step("only").build();
        Workflow<Integer, Integer> workflow = step("a")
                .compensate("undo-a", (n, step) -> n)
                .sleep("nap", Duration.ofSeconds(1))
                .parallel("both", b -> b.branch("x", Integer.class, (n, step) -> n), (n, joined) -> n)
                .repeatWhile("loop", n -> n < 5, loop -> loop.then("round", (n, step) -> n + 1))
                .child("child", inner, n -> n, (n, result) -> result)
                .onFailure("tell", (ending, step) -> ending)
                .build();
        assertThat(workflow.shape())
                .containsExactly(
                        "then, undone by 'undo-a', a",
                        "sleep nap",
                        "parallel both",
                        "  then x",
                        "repeatWhile loop",
                        "  then round",
                        "run of w@1 child",
                        "onFailure tell");
        assertThat(workflow.children()).containsExactly(inner);
    }

    @Test
    void badDefinitionsAreRefusedWithWorkflowAndStep() {
        assertThatThrownBy(() -> Workflow.named("a/b", 1, Integer.class)).hasMessageContaining("'a/b'");
        assertThatThrownBy(() -> Workflow.named("a", 0, Integer.class)).hasMessageContaining("from 1 on, got 0");
        assertThatThrownBy(() -> flow().build())
                .hasMessage("workflow 'w' version 1: expected at least one step, got none");
        assertThatThrownBy(() -> step("a").then("a", (n, step) -> n))
                .hasMessage("workflow 'w' version 1, step 'a': expected a name of its own for each step, got it twice");
        assertThatThrownBy(() -> step("~a")).hasMessageContaining("step '~a'");
        assertThatThrownBy(() -> step("a").sleep("nap", Duration.ofSeconds(-1))).hasMessageContaining("sleep 'nap'");
        assertThatThrownBy(() -> flow().compensate("undo", (n, step) -> n))
                .hasMessageContaining("compensation 'undo'")
                .hasMessageContaining("right behind a step");
        assertThatThrownBy(() -> flow().repeatWhile("loop", n -> true, loop -> loop))
                .hasMessageContaining("'loop': expected at least one step inside");
        assertThatThrownBy(() ->
                        step("a").onFailure("x", (ending, step) -> ending).onFailure("y", (ending, step) -> ending))
                .hasMessageContaining("onFailure: expected one, got 'x' and 'y'");
    }

    @Test
    void badOptionsOfAStepAreToldTogether() {
        Workflow<Integer, Integer> bad = flow().then(
                        "a",
                        (n, step) -> n,
                        s -> s.attempts(0).timeout(Duration.ZERO).queue(" "))
                .build();
        WorkflowMoves moves = new WorkflowMoves(bad, new JsonCodec());
        assertThatThrownBy(() -> moves.begin(1))
                .hasMessageContaining("workflow w@1, step 'a'")
                .hasMessageContaining("attempts: expected 1")
                .hasMessageContaining("timeout: expected a positive duration")
                .hasMessageContaining("queue: expected a name");
    }

    @Test
    void aLoopThatComesToNoStepIsFound() {
        Workflow<Integer, Integer> idle = flow().repeatWhile(
                        "outer",
                        n -> true,
                        outer -> outer.repeatWhile("inner", n -> false, inner -> inner.then("never", (n, step) -> n)))
                .build();
        WorkflowMoves moves = new WorkflowMoves(idle, new JsonCodec());
        assertThatThrownBy(() -> moves.begin(1)).hasMessageContaining("rounds without one");
    }

    @Test
    void itemsAreMadeInChunks() {
        Workflow<Integer, Integer> fan = flow().forEach(
                        "each", n -> java.util.Collections.nCopies(n, 1), Integer.class, Integer.class, (i, step) -> i)
                .ignoringResults()
                .build();
        WorkflowMoves moves = new WorkflowMoves(fan, new JsonCodec());
        Move.Fork first = (Move.Fork) moves.begin(2_500);
        assertThat(first.total()).isEqualTo(2_500);
        assertThat(first.children()).hasSize(1_000);
        Node.Fork node = (Node.Fork) moves.node("each");
        assertThat(moves.fork(node, 2_500, 2_000).children()).hasSize(500);
        assertThatThrownBy(() -> moves.fork(node, 10, 2_000))
                .hasMessageContaining("expected the same items each time, got 10 where 2000 were begun");
        assertThat(List.of(first.children().getFirst().name())).containsExactly("each");
    }
}
