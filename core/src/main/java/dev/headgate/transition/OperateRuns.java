package dev.headgate.transition;

import dev.headgate.job.JobState;
import dev.headgate.run.Control;
import dev.headgate.run.Control.Why;
import dev.headgate.store.FrameRow;
import dev.headgate.store.JobRow;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.Wake;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people and programs do to runs from outside. */
final class OperateRuns {
    private static final int BATCH_MAX = 500;

    private final StoreTransaction tx;
    private final Set<Wake> wakes;
    private final FrameSet frames;

    OperateRuns(StoreTransaction tx, Set<Wake> wakes) {
        this.tx = tx;
        this.wakes = wakes;
        this.frames = new FrameSet(tx, tx.now());
    }

    /** The run with its tree locked, if there is such a run and it has not ended. */
    private @Nullable FrameEdit lock(long id) {
        frames.lock(List.of(id));
        FrameEdit run = frames.find(id);
        return run == null || !run.before().isRun() || run.state.isTerminal() ? null : run;
    }

    boolean signal(long id, String name, String json) {
        FrameEdit run = lock(id);
        if (run == null) {
            return false;
        }
        tx.frames().addSignal(id, name, json, frames.now());
        List<FrameRow> waiting = tx.frames().awaiting(id, name);
        if (!waiting.isEmpty()) {
            frames.control(frames.know(waiting.getFirst()), new Control(Why.SIGNALLED));
        }
        frames.save(wakes);
        return true;
    }

    /** Takes no lock of a tree: jobs first, as everywhere. Answers whether there may be more. */
    boolean sweep(long root) {
        List<Long> strays = tx.frames().strayJobs(root, BATCH_MAX);
        Map<Long, String> waiting = new LinkedHashMap<>();
        for (long id : strays.stream().sorted().toList()) {
            JobRow job = tx.jobs().lock(id);
            if (job != null && job.state() == JobState.RUNNING) {
                if (!job.isCancelRequested()) {
                    tx.jobs().requestCancel(id);
                    wakes.add(new Wake.Cancel());
                }
            } else if (job != null) {
                waiting.put(id, "its workflow run no longer needs it");
            }
        }
        if (!waiting.isEmpty()) {
            tx.jobs().endWaiting(waiting, tx.now());
        }
        return strays.size() == BATCH_MAX;
    }
}
