package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.run.BudgetLedger;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.internal.workflow.PruneRuns;
import dev.headgate.job.Attributes;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Guard;
import dev.headgate.spi.FrameRow.Life;
import dev.headgate.spi.FrameRow.Position;
import dev.headgate.spi.FrameRow.Program;
import dev.headgate.spi.FrameRow.Tree;
import dev.headgate.spi.FrameRow.Waits;
import dev.headgate.spi.FrameTable.Branch;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs go branch by branch when they are old enough: never what lives, nor the way from the root to it. */
public interface PruneRunsContract extends StoreFixture {
    Duration WEEK = Duration.ofDays(7);

    record Trip(String path) {
        Trip plus(String step) {
            return new Trip(path + step);
        }
    }

    /** Lasts until it is signalled. */
    Workflow<Trip, Trip> SLOW = Workflow.named("slow", 1, Trip.class)
            .then("begin", (trip, step) -> {
                step.artifact("note", trip.path());
                return trip.plus("s");
            })
            .awaitSignal("go", String.class, Trip::plus)
            .then("end", (trip, step) -> trip.plus("!"))
            .build();

    Workflow<Trip, Trip> QUICK = Workflow.named("quick", 1, Trip.class)
            .then("only", (trip, step) -> trip.plus("q"))
            .build();

    Workflow<Trip, Trip> MIDDLE = Workflow.named("middle", 1, Trip.class)
            .spawn("slow", SLOW, trip -> trip.plus("m"))
            .then("only", (trip, step) -> trip)
            .build();

    Workflow<Trip, Trip> TOP = Workflow.named("top", 1, Trip.class)
            .spawn("quick", QUICK, trip -> trip)
            .spawn("middle", MIDDLE, trip -> trip)
            .then("last", (trip, step) -> trip.plus("t"))
            .build();

    private static WorkflowRig play(Rig rig) {
        return new WorkflowRig(rig, "default")
                .register(TOP)
                .register(MIDDLE)
                .register(SLOW)
                .register(QUICK);
    }

    private static List<String> names(WorkflowRig play, RunId root) {
        return play.workflows().tree(root).stream()
                .map(status -> status.origin().workflow())
                .toList();
    }

    private static RunId named(WorkflowRig play, RunId root, String workflow) {
        return play.workflows().tree(root).stream()
                .filter(run -> run.origin().workflow().equals(workflow))
                .map(RunStatus::id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void aSpawnedRunOutlivesItsPrunedParent(Rig rig) {
        WorkflowRig play = play(rig);
        RunId top = play.workflows().start(TOP, new Trip("-"), r -> r.key("k")).id();
        play.all();
        assertThat(play.state(top)).isEqualTo(RunState.SUCCEEDED);
        RunId slow = named(play, top, "slow");
        rig.advance(Duration.ofDays(8));
        rig.store().prune(WEEK);
        assertThat(names(play, top)).as("a branch that has ended goes").containsExactly("top", "middle", "slow");
        assertThat(play.state(slow)).isEqualTo(RunState.AWAITING);
        assertThat(play.workflows().timeline(slow)).isNotEmpty();
        assertThat(play.workflows().findArtifact(slow, "note")).contains("-m");
        rig.advance(Duration.ofDays(30));
        assertThat(play.workflows().prune(WEEK)).as("no root goes").isZero();
        play.workflows().signal(slow, "go", "g");
        play.all();
        assertThat(play.workflows().result(slow, SLOW)).isEqualTo(new Trip("-msg!"));
        rig.advance(Duration.ofDays(6));
        rig.store().prune(WEEK);
        assertThat(play.workflows().result(slow, SLOW))
                .as("its own retention begins with its own end")
                .isEqualTo(new Trip("-msg!"));
        rig.advance(Duration.ofDays(2));
        assertThat(play.workflows().prune(WEEK)).isEqualTo(1);
        assertThat(play.workflows().find(slow)).isEmpty();
        assertThat(play.workflows().find(top)).isEmpty();
        assertThat(play.workflows().findArtifact(slow, "note")).isEmpty();
        assertThat(play.workflows().start(TOP, new Trip("-"), r -> r.key("k")).isNew())
                .isTrue();
    }

    @Test
    default void whatALiveRunWillReadStays(Rig rig) {
        Workflow<Trip, Trip> each = Workflow.named("each", 1, Trip.class)
                .childForEach("both", SLOW, trip -> List.of(trip.plus("1"), trip.plus("2")))
                .reduce((trip, results) ->
                        trip.plus("=" + results.stream().map(Trip::path).toList()))
                .build();
        Workflow<Trip, Trip> parent = Workflow.named("parent", 1, Trip.class)
                .spawn("each", each, trip -> trip)
                .build();
        WorkflowRig play = play(rig).register(parent).register(each);
        RunId top = play.workflows().start(parent, new Trip("-")).id();
        play.all();
        List<RunId> both = play.workflows().tree(top).stream()
                .filter(run -> run.origin().workflow().equals("slow"))
                .map(RunStatus::id)
                .toList();
        play.workflows().signal(both.get(0), "go", "a");
        play.all();
        assertThat(play.state(both.get(0))).isEqualTo(RunState.SUCCEEDED);
        rig.advance(Duration.ofDays(8));
        rig.store().prune(WEEK);
        play.workflows().signal(both.get(1), "go", "b");
        play.all();
        assertThat(play.workflows().result(named(play, top, "each"), each)).isEqualTo(new Trip("-=[-1sa!, -2sb!]"));
    }

    @Test
    default void aRunStaysWhileAJobOfItRuns(Rig rig) {
        WorkflowRig play = play(rig);
        RunId id = play.workflows().start(QUICK, new Trip("-")).id();
        List<EndedLease> running = play.claimed();
        assertThat(running).hasSize(1);
        play.workflows().cancel(id, "no longer wanted");
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.CANCELLED);
        rig.advance(Duration.ofSeconds(1));
        assertThat(play.workflows().prune(Duration.ZERO)).isZero();
        assertThat(play.workflows().find(id)).isPresent();
        play.worker().turn(0, running.getFirst());
        rig.advance(Duration.ofSeconds(1));
        assertThat(play.workflows().prune(Duration.ZERO)).isEqualTo(1);
        assertThat(play.workflows().find(id)).isEmpty();
    }

    @Test
    default void aTreeTooLargeForOneTransactionGoesPartByPart(Rig rig) {
        List<FrameRow> rows = new ArrayList<>();
        long old = 1_000;
        rig.store().backend().write(tx -> {
            List<Long> ids = tx.frames().ids(5_003);
            long root = ids.getFirst();
            long middle = ids.get(1);
            rows.add(frame(root, root, null, old));
            rows.add(frame(middle, root, root, old));
            for (int i = 2; i < 5_002; i++) {
                rows.add(frame(ids.get(i), root, i % 2 == 0 ? root : middle, old));
            }
            rows.add(frame(ids.get(5_002), root, middle, null));
            return tx.frames().insert(rows);
        });
        WorkflowRig play = play(rig);
        RunId root = RunId.of(rows.getFirst().id());
        assertThat(play.workflows().prune(WEEK)).isZero();
        assertThat(play.workflows().tree(root).stream().map(run -> run.id().value()))
                .containsExactly(
                        rows.getFirst().id(), rows.get(1).id(), rows.getLast().id());
        FrameRow live = rows.getLast();
        rig.store().backend().write(tx -> {
            tx.frames()
                    .save(List.of(
                            frame(live.id(), live.tree().root(), live.tree().parent(), old)));
            return true;
        });
        assertThat(play.workflows().prune(WEEK)).isEqualTo(1);
        assertThat(play.workflows().find(root)).isEmpty();
        assertThat(play.workflows().find(RunId.of(live.id()))).isEmpty();
    }

    /** A run may be retried between two of the transactions in which a large tree goes. */
    @Test
    default void aLargeTreeWhoseRootLivesAgainMeanwhileKeepsItsRoot(Rig rig) {
        long old = 1_000;
        List<FrameRow> rows = new ArrayList<>();
        rig.store().backend().write(tx -> {
            List<Long> ids = tx.frames().ids(2_002);
            long root = ids.getFirst();
            ids.forEach(id -> rows.add(frame(id, root, id == root ? null : root, old)));
            return tx.frames().insert(rows);
        });
        long root = rows.getFirst().id();
        Backend interrupted = new ForwardingBackend(rig.store().backend()) {
            @Override
            public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
                List<Branch> below = read(tx -> tx.frames().branches(List.of(root), 1));
                if (below.isEmpty()) {
                    super.write(tx -> {
                        tx.frames().save(List.of(frame(root, root, null, null)));
                        return true;
                    });
                }
                return super.write(work);
            }
        };
        EndedRange all = new EndedRange(Long.MIN_VALUE, old + 1, Set.of(), false);
        assertThat(PruneRuns.run(interrupted, all)).isZero();
        assertThat(play(rig).workflows().find(RunId.of(root))).isPresent();
    }

    private static FrameRow frame(long id, long root, @Nullable Long parent, @Nullable Long endedAt) {
        String budget = parent == null ? new BudgetLedger(RunBudget.STANDARD).text() : null;
        return new FrameRow(
                id,
                new Tree(root, id, parent, 0, 0, parent == null ? 0 : 1),
                new Program("made-up", "made-up", 1, "default", 0, null, Attributes.NONE),
                new Position(endedAt == null ? RunState.RUNNING : RunState.SUCCEEDED, Phase.FORWARD, "step", 1, 0, 0),
                Waits.NONE,
                new Life(0, endedAt, null, null),
                new Guard(budget, null));
    }

    @Test
    default void manyRunsGoInShortBatches(Rig rig) {
        WorkflowRig play = play(rig);
        List<RunId> all = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            all.add(play.workflows().start(QUICK, new Trip("-")).id());
        }
        RunId living = play.workflows().start(MIDDLE, new Trip("-")).id();
        play.all();
        rig.advance(Duration.ofDays(8));
        long before = rig.store().backend().statements();
        assertThat(play.workflows().prune(WEEK)).isEqualTo(250);
        assertThat(rig.store().backend().statements() - before)
                .as("statements for three batches")
                .isLessThanOrEqualTo(45);
        assertThat(play.workflows().find(all.getFirst())).isEmpty();
        assertThat(play.workflows().find(all.getLast())).isEmpty();
        assertThat(names(play, living)).containsExactly("middle", "slow");
    }
}
