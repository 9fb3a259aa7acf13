package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.Guardrail;
import dev.headgate.run.Join;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Branches, items, loops and child runs: each child is made once, and their parent waits without holding anything. */
public interface ForkContract extends StoreFixture {
    record Order(List<Integer> items, String text) {
        static Order of(int count) {
            return new Order(IntStream.range(0, count).boxed().toList(), "");
        }

        Order with(String more) {
            return new Order(items, text + more);
        }
    }

    private static Workflow<Order, Order> eachWith(Join join) {
        return Workflow.named("each", 1, Order.class)
                .forEach("double", Order::items, Integer.class, Integer.class, (item, step) -> {
                    if (item < 0) {
                        throw new PermanentFailure("item " + item);
                    }
                    return item * 2;
                })
                .join(join)
                .reduce((order, results) -> order.with(results.toString()))
                .build();
    }

    @Test
    default void branchesRunSideBySideAndAreJoined(Rig rig) {
        Workflow<Order, Order> both = Workflow.named("both", 1, Order.class)
                .parallel(
                        "split",
                        b -> b.branch("left", String.class, (order, step) -> "L")
                                .branch(
                                        "right",
                                        flow -> flow.then("r1", String.class, (order, step) -> "R")
                                                .sleep("nap", Duration.ofMinutes(1))
                                                .then("r2", (text, step) -> text + "!")),
                        (order, joined) ->
                                order.with(joined.of("left", String.class) + joined.of("right", String.class)))
                .then("end", (order, step) -> order.with("."))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(both);
        RunId id = play.workflows().start(both, Order.of(0)).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.JOINING);
        assertThat(play.status(id).position().children()).isEqualTo(new Children(2, 2, 1, 0));
        assertThat(rig.store().list(JobFilter.all().state(JobState.QUEUED))).isEmpty();
        rig.advance(Duration.ofMinutes(1));
        play.all();
        assertThat(play.workflows().result(id, both).text()).isEqualTo("LR!.");
        assertThat(play.workflows().tree(id)).hasSize(3);
    }

    @Test
    default void everyItemIsDoneOnceAndResultsKeepTheirOrder(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.all());
        WorkflowRig play = new WorkflowRig(rig, "default").register(each);
        RunId id = play.workflows().start(each, Order.of(5)).id();
        play.all();
        assertThat(play.workflows().result(id, each).text()).isEqualTo("[0, 2, 4, 6, 8]");
        RunId none = play.workflows().start(each, Order.of(0)).id();
        play.all();
        assertThat(play.workflows().result(none, each).text()).isEqualTo("[]");
    }

    @Test
    default void signalsThatComeTogetherReachAllWhoWaitForThem(Rig rig) {
        Workflow<Order, Order> each = Workflow.named("signed", 1, Order.class)
                .forEach(
                        "sign",
                        Order::items,
                        Integer.class,
                        flow -> flow.awaitSignal("signature", Integer.class, (item, signed) -> item * 10 + signed))
                .reduce((order, results) -> order.with(results.toString()))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(each);
        RunId id = play.workflows().start(each, Order.of(3)).id();
        play.all();
        for (int signed = 1; signed <= 3; signed++) {
            play.workflows().signal(id, "signature", signed);
        }
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void aLargeFanOutIsMadeInChunks(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Workflow<Order, Order> many = Workflow.named("many", 1, Order.class)
                .forEach("count", Order::items, Integer.class, Integer.class, (item, step) -> {
                    ran.incrementAndGet();
                    return item;
                })
                .reduce((order, results) -> new Order(
                        List.of(), "" + results.stream().mapToInt(i -> i).sum()))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(many).slots(500);
        RunId id = play.workflows().start(many, Order.of(2_500)).id();
        assertThat(play.status(id).position().children()).isEqualTo(new Children(2_500, 1_000, 0, 0));
        play.all();
        assertThat(ran).hasValue(2_500);
        assertThat(play.workflows().result(id, many).text()).isEqualTo("" + 2_499 * 2_500 / 2);
    }

    @Test
    default void theFirstFailureEndsAJoinOfAll(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.all());
        WorkflowRig play = new WorkflowRig(rig, "default").register(each).slots(1);
        RunId id = play.workflows()
                .start(each, new Order(List.of(1, -7, 3, 4), ""))
                .id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail())
                .contains("2 of 4 succeeded, 4 had to")
                .contains("item -7");
        assertThat(play.workflows().tree(id).stream().filter(part -> part.state() == RunState.CANCELLED))
                .hasSize(1);
        assertThat(rig.store().list(JobFilter.all().state(JobState.QUEUED))).isEmpty();
    }

    @Test
    default void theFirstSuccessIsEnoughAndTheOthersAreCancelled(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.firstSuccess());
        WorkflowRig play = new WorkflowRig(rig, "default").register(each).slots(1);
        RunId id = play.workflows()
                .start(each, new Order(List.of(-1, 5, 6, 7), ""))
                .id();
        play.all();
        assertThat(play.workflows().result(id, each).text()).isEqualTo("[10]");
        RunId none =
                play.workflows().start(each, new Order(List.of(-1, -2), "")).id();
        play.all();
        assertThat(play.state(none)).isEqualTo(RunState.FAILED);
    }

    @Test
    default void aQuorumGoesOnAsSoonAsItIsReachedOrOutOfReach(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.quorum(2));
        WorkflowRig play = new WorkflowRig(rig, "default").register(each).slots(1);
        RunId id = play.workflows()
                .start(each, new Order(List.of(1, -1, 2, 3, 4), ""))
                .id();
        RunId lost =
                play.workflows().start(each, new Order(List.of(1, -1, -2), "")).id();
        play.all();
        assertThat(play.workflows().result(id, each).text()).isEqualTo("[2, 4]");
        assertThat(play.state(lost)).isEqualTo(RunState.FAILED);
        assertThat(play.status(lost).life().detail()).contains("2 had to");
    }

    @Test
    default void settledWaitsForAllAndFailsForNone(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.settled());
        WorkflowRig play = new WorkflowRig(rig, "default").register(each);
        RunId id =
                play.workflows().start(each, new Order(List.of(1, -1, 2), "")).id();
        play.all();
        assertThat(play.workflows().result(id, each).text()).isEqualTo("[2, 4]");
    }

    @Test
    default void loopsGoRoundUntilTheStateSaysSo(Rig rig) {
        Workflow<Order, Order> loops = Workflow.named("loops", 1, Order.class)
                .repeatWhile(
                        "short",
                        order -> order.text().length() < 3,
                        loop -> loop.then("grow", (order, step) -> order.with("a")))
                .repeatUntil(
                        "long",
                        order -> order.text().length() >= 5,
                        loop -> loop.then("stretch", (order, step) -> order.with("b"))
                                .sleep("rest", Duration.ofSeconds(1)))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(loops);
        RunId id = play.workflows().start(loops, Order.of(0)).id();
        RunId done = play.workflows().start(loops, Order.of(0).with("xxxxxx")).id();
        for (int i = 0; i < 4; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(play.workflows().result(id, loops).text()).isEqualTo("aaabb");
        assertThat(play.workflows().result(done, loops).text()).isEqualTo("xxxxxxb");
    }

    Workflow<Order, Order> CHILD = Workflow.named("child", 1, Order.class)
            .then("work", (order, step) -> order.with("c"), s -> s.gate("one").cost(10))
            .build();

    @Test
    default void aParentInAGateOfOneWhoseChildrenUseTheSameGateFinishes(Rig rig) {
        rig.policy("gate one", "concurrency 1");
        Workflow<Order, Order> parent = Workflow.named("parent", 1, Order.class)
                .then("before", (order, step) -> order.with("<"), s -> s.gate("one"))
                .child("child", CHILD, order -> order, (order, result) -> result)
                .childForEach("children", CHILD, order -> List.of(order, order))
                .reduce((order, results) -> order.with("" + results.size()))
                .then("after", (order, step) -> order.with(">"), s -> s.gate("one"))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(parent).register(CHILD);
        RunId id = play.workflows()
                .start(parent, Order.of(0), r -> r.budget(b -> b.maxCostUnits(32)))
                .id();
        play.all();
        assertThat(play.workflows().result(id, parent).text()).isEqualTo("<c2>");
        assertThat(play.status(id).budget()).anySatisfy(line -> {
            assertThat(line.guardrail()).isEqualTo(Guardrail.COST_UNITS);
            assertThat(line.used()).isEqualTo(32);
        });
        assertThat(play.status(id).budget()).anySatisfy(line -> {
            assertThat(line.guardrail()).isEqualTo(Guardrail.CHILD_RUNS);
            assertThat(line.used()).isEqualTo(3);
        });
    }

    @Test
    default void aSpawnedRunIsNotWaitedFor(Rig rig) {
        rig.policy("gate one", "rate 1/1h burst 1");
        Workflow<Order, Order> parent = Workflow.named("parent", 1, Order.class)
                .spawn("first", CHILD, order -> order)
                .spawn("second", CHILD, order -> order)
                .then("end", (order, step) -> order.with("."))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(parent).register(CHILD);
        RunId id = play.workflows().start(parent, Order.of(0)).id();
        play.all();
        assertThat(play.workflows().result(id, parent).text()).isEqualTo(".");
        assertThat(play.workflows().tree(id).stream().map(run -> run.state()))
                .containsExactly(RunState.SUCCEEDED, RunState.SUCCEEDED, RunState.RUNNING);
    }

    @Test
    default void aFanOutOverItsBudgetMakesNoChild(Rig rig) {
        Workflow<Order, Order> each = eachWith(Join.all());
        Workflow<Order, Order> late = Workflow.named("late", 1, Order.class)
                .then("first", (order, step) -> order)
                .forEach("double", Order::items, Integer.class, Integer.class, (item, step) -> item)
                .ignoringResults()
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(each).register(late);
        assertThatThrownBy(() -> play.workflows().start(each, Order.of(4), r -> r.budget(b -> b.maxFanOutItems(3))))
                .hasMessageContaining("step 'double': maxFanOutItems is 3");
        RunId id = play.workflows()
                .start(late, Order.of(4), r -> r.budget(b -> b.maxFanOutItems(3)))
                .id();
        RunId dear = play.workflows()
                .start(late, Order.of(4), r -> r.budget(b -> b.maxCostUnits(4)))
                .id();
        RunId deep = play.workflows()
                .start(late, Order.of(4), r -> r.budget(b -> b.maxDepth(1)))
                .id();
        assertThat(play.all()).isEqualTo(1 + 1 + 1 + 4 + 1);
        assertThat(play.status(id).life().detail())
                .isEqualTo("step 'double': maxFanOutItems is 3, used are 0, this asks for 4 more");
        assertThat(play.workflows().tree(id)).hasSize(1);
        assertThat(play.status(dear).life().detail()).contains("maxCostUnits is 4, used are 1, this asks for 4 more");
        assertThat(play.state(deep)).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    default void spawnedRunsAndTheirDepthAreLimited(Rig rig) {
        Workflow<Order, Order> parent = Workflow.named("parent", 1, Order.class)
                .then("first", (order, step) -> order)
                .childForEach("children", CHILD, order -> List.of(order, order))
                .ignoringResults()
                .build();
        Workflow<Order, Order> top = Workflow.named("top", 1, Order.class)
                .child("parent", parent, order -> order, (order, result) -> order)
                .build();
        WorkflowRig play =
                new WorkflowRig(rig, "default").register(top).register(parent).register(CHILD);
        RunId wide = play.workflows()
                .start(top, Order.of(0), r -> r.budget(b -> b.maxChildRuns(2)))
                .id();
        RunId deep = play.workflows()
                .start(top, Order.of(0), r -> r.budget(b -> b.maxDepth(1)))
                .id();
        play.all();
        assertThat(play.status(wide).life().detail())
                .isEqualTo("step 'children': maxChildRuns is 2, used are 1, this asks for 2 more");
        assertThat(play.status(deep).life().detail()).isEqualTo("step 'children': maxDepth is 1, this needs 2");
        assertThat(play.state(wide)).isEqualTo(RunState.BUDGET_EXCEEDED);
    }
}
