package dev.headgate.internal.worker;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.text.Text;
import dev.headgate.job.JobStatus.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has reported and the store does not have yet: the newest progress and the newest lines. Thread-safe.
 */
final class UnsavedReports {
    private static final int MESSAGE_MAX = 500;
    private static final int LINE_MAX = 2_000;

    private final Deque<String> lines = new ArrayDeque<>();
    private @Nullable Progress progress;
    private long dropped;
    private boolean isWaiting;

    /** A part that is being stored. */
    record Batch(@Nullable Progress progress, List<String> lines) {}

    /** Returns whether these are the first news since the last {@link #take}. */
    synchronized boolean progress(int percent, String message) {
        progress = new Progress(percent, Text.storable(message, MESSAGE_MAX));
        return becomesWaiting();
    }

    synchronized boolean log(String line) {
        lines.addLast(Text.storable(line, LINE_MAX));
        if (lines.size() > JobStore.LOG_LINES_MAX) {
            lines.removeFirst();
            dropped++;
        }
        return becomesWaiting();
    }

    private boolean becomesWaiting() {
        boolean isFirst = !isWaiting;
        isWaiting = true;
        return isFirst;
    }

    synchronized boolean isWaiting() {
        return isWaiting;
    }

    synchronized Batch take() {
        List<String> taken = new ArrayList<>(lines.size() + 1);
        if (dropped > 0) {
            taken.add("(%d lines before this came too fast to keep)".formatted(dropped));
        }
        taken.addAll(lines);
        Batch batch = new Batch(progress, taken);
        lines.clear();
        progress = null;
        dropped = 0;
        isWaiting = false;
        return batch;
    }

    /** Puts a batch that could not be stored back before newer reports. */
    synchronized void putBack(Batch batch) {
        progress = progress == null ? batch.progress() : progress;
        for (int i = batch.lines().size() - 1; i >= 0 && lines.size() < JobStore.LOG_LINES_MAX; i--) {
            lines.addFirst(batch.lines().get(i));
        }
        isWaiting = true;
    }
}
