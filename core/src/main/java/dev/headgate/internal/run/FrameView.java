package dev.headgate.internal.run;

import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a steering job reads of its frame: one consistent look.
 *
 * @param step where it stands
 * @param state the state it entered that step with
 * @param error what failed or cancelled it, if it is on its way to such an end
 * @param created how many children it has made so far
 * @param dueAt the store's time, in microseconds, at which its sleep or its wait for a signal ends; absent if it has none
 * @param signal the oldest signal that it waits for, if one has come
 */
public record FrameView(
        long id,
        RunId run,
        RunState state,
        Phase phase,
        long revision,
        @Nullable String step,
        @Nullable String json,
        @Nullable String error,
        int created,
        @Nullable Long dueAt,
        @Nullable Inbox signal) {

    /**
     * A signal that was sent.
     *
     * @param at the store's time, in microseconds, at which it was stored; signals to a run stand in the order of these
     */
    public record Inbox(long id, String name, String json, long at) {}

    /** Whether the signal that it waits for was there when its timer was due: then the signal goes first. */
    public boolean isSignalBeforeTimer() {
        return isBefore(signal, dueAt);
    }

    /** Whether a signal was there when a timer was due; at the very instant counts as before. */
    public static boolean isBefore(@Nullable Inbox signal, @Nullable Long dueAt) {
        return signal != null && dueAt != null && signal.at() <= dueAt;
    }

    /** Which way a frame goes. */
    public enum Phase {
        FORWARD,
        FAILING,
        CANCELLING
    }

    /** How one child ended. */
    public record ChildEnd(
            int index,
            String name,
            RunId id,
            RunState state,
            @Nullable String json,
            @Nullable String error) {}

    /** A step that was entered, with its state: on the way forward, or on that to a bad end. */
    public record Entered(String step, String state, boolean isUnwinding) {}

    /** Where steering jobs read. */
    public interface Reader {
        @Nullable
        FrameView frame(long id);

        /** The children of its latest fork, by index. */
        List<ChildEnd> children(long id);

        /** The steps it has entered, in order. */
        List<Entered> entered(long id);

        /** Ends the jobs of a run's parts that no longer count; answers whether there may be more. */
        boolean sweep(long root);
    }
}
