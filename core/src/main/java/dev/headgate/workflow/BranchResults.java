package dev.headgate.workflow;

import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.run.RunState;
import java.util.List;
import java.util.Optional;

/** What the branches of a {@link Flow#parallel} returned. */
public final class BranchResults {
    private final List<ChildEnd> ends;
    private final Node.Reading reading;

    BranchResults(List<ChildEnd> ends, Node.Reading reading) {
        this.ends = ends;
        this.reading = reading;
    }

    /** What this branch returned; absent if it failed or was no longer needed. */
    public <R> Optional<R> find(String branch, Class<R> type) {
        for (ChildEnd end : ends) {
            if (end.name().equals(branch) && end.state() == RunState.SUCCEEDED && end.json() != null) {
                return Optional.of(reading.read(end.json(), type));
            }
        }
        return Optional.empty();
    }

    /**
     * What this branch returned.
     *
     * @throws IllegalStateException if it did not succeed
     */
    public <R> R of(String branch, Class<R> type) {
        return find(branch, type)
                .orElseThrow(() -> new IllegalStateException(
                        "branch '%s': expected it to have succeeded; use find(…) where".formatted(branch)
                                + " not all branches must"));
    }
}
