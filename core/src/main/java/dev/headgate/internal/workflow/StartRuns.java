package dev.headgate.internal.workflow;

import dev.headgate.internal.enqueue.RequiredGates;
import dev.headgate.internal.run.BudgetLedger;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.workflow.RunStore.NewRun;
import dev.headgate.job.JobSpec;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.Started;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Guard;
import dev.headgate.spi.FrameRow.Life;
import dev.headgate.spi.FrameRow.Position;
import dev.headgate.spi.FrameRow.Program;
import dev.headgate.spi.FrameRow.Tree;
import dev.headgate.spi.FrameRow.Waits;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts runs: the frame, its budget and its first job in one transaction. */
final class StartRuns {
    private StartRuns() {}

    /** Absent if a key was taken between the look and the insert: then the caller tries again. */
    static @Nullable List<Started> run(StoreTransaction tx, List<NewRun> runs, Set<Wake> wakes) {
        FrameSet frames = new FrameSet(tx, tx.now());
        Advance advance = new Advance(tx, frames);
        List<Long> ids = frames.ids(runs.size());
        Map<String, Long> byKey = new HashMap<>();
        List<Started> started = new ArrayList<>(runs.size());
        boolean isAny = false;
        for (int i = 0; i < runs.size(); i++) {
            NewRun run = runs.get(i);
            Long known = known(tx, run, byKey);
            if (known != null) {
                started.add(new Started(RunId.of(known), false));
            } else {
                if (run.first() instanceof Move.Step(String step, JobSpec job)) {
                    RequiredGates.refuse(job, tx.recentPolicies());
                }
                begin(frames, advance, run, ids.get(i));
                if (run.key() != null) {
                    byKey.put(keyOf(run), ids.get(i));
                }
                started.add(new Started(RunId.of(ids.get(i)), true));
                isAny = true;
            }
        }
        return !isAny || advance.finish(wakes) ? started : null;
    }

    private static @Nullable Long known(StoreTransaction tx, NewRun run, Map<String, Long> byKey) {
        if (run.key() == null) {
            return null;
        }
        Long here = byKey.get(keyOf(run));
        FrameRow stored = here == null ? tx.frames().findKey(run.workflow().workflow(), run.key()) : null;
        return stored == null ? here : Long.valueOf(stored.id());
    }

    private static String keyOf(NewRun run) {
        return run.workflow().workflow() + "\n" + run.key();
    }

    private static void begin(FrameSet frames, Advance advance, NewRun run, long id) {
        FrameEdit frame = frames.add(new FrameRow(
                id,
                Tree.root(id),
                new Program(
                        run.workflow().workflow(),
                        run.workflow().workflow(),
                        run.workflow().version(),
                        run.workflow().queue(),
                        run.priority(),
                        run.key(),
                        run.attributes()),
                Position.start(null, 0),
                Waits.NONE,
                Life.from(frames.now()),
                new Guard(new BudgetLedger(run.budget()).text(), null)));
        advance.move(frame, run.first());
        if (frame.state == RunState.BUDGET_EXCEEDED) {
            throw new BudgetExceededException("start of workflow '%s' version %d: %s; nothing was started"
                    .formatted(run.workflow().workflow(), run.workflow().version(), frame.detail));
        }
        if (!frame.state.isTerminal()) {
            advance.clocks(frame, run.workflow().deadline());
        }
    }
}
