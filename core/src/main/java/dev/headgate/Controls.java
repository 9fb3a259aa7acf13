package dev.headgate;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Pause;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shuts and opens gates, queues and job types by hand, for every worker at once. What runs goes on. Thread-safe. */
public final class Controls {
    private static final int REASON_MAX = 500;

    private final JobStore store;
    private final String author;

    Controls(JobStore store, String author) {
        this.store = store;
        this.author = author;
    }

    /** Something that is paused: since when, by whom and why. */
    public record Paused(Pause what, Instant since, String author, String reason) {}

    /** The same controls with another author, who is stored and shown with each pause. Default: {@code program}. */
    public Controls by(String name) {
        return new Controls(store, Text.storable(name, REASON_MAX));
    }

    /**
     * Shuts a gate, or a queue, for this long; then it is open as before. Of two holds the later end counts. Of a name that a gate
     * and a queue have, the gate is meant; {@code hold(GateKey.queue("mail"), …)} says which.
     *
     * @param span more than zero, at most 366 days
     * @return false if it is shut for longer already
     */
    public boolean hold(String name, Duration span, String reason) {
        return hold(store.holds().named(name), span, reason);
    }

    /** The same for a gate or a queue that is named as such. */
    public boolean hold(GateKey what, Duration span, String reason) {
        if (span.isNegative() || span.isZero() || span.compareTo(Hold.SPAN_MAX) > 0) {
            throw new IllegalArgumentException("hold of %s: expected more than zero to %s, got %s"
                    .formatted(what, Spans.text(Hold.SPAN_MAX), span));
        }
        return store.holds().hold(what, span, storable("hold", what, reason));
    }

    /**
     * The same until an instant of store time.
     *
     * @throws IllegalArgumentException if that is past, or more than 366 days away
     */
    public boolean holdUntil(String name, Instant until, String reason) {
        return holdUntil(store.holds().named(name), until, reason);
    }

    /** The same for a gate or a queue that is named as such. */
    public boolean holdUntil(GateKey what, Instant until, String reason) {
        Instant now = store.holds().now();
        if (!until.isAfter(now)) {
            throw new IllegalArgumentException(
                    "hold of %s: expected an end in the future, got %s; the store's time is %s"
                            .formatted(what, until, now));
        }
        return store.holds().holdUntil(what, until, storable("hold", what, reason));
    }

    /**
     * Shuts a gate or queue because what lies behind it pushed back, as with a 429: for as long as it was told, or as its back-off says if
     * that is longer; then one job goes ahead as a probe. Push-backs of a gate that is held count as one.
     *
     * @param retryAfter how long it was told to wait; absent if it was not told
     * @return for how long it is shut now
     */
    public Duration pushBack(GateKey what, @Nullable Duration retryAfter, String reason) {
        int jitter = (int) Math.floorMod(Chance.SYSTEM.next(), (long) BackOff.JITTER_FULL);
        return store.holds().pushBack(what, retryAfter, jitter, storable("push back", what, reason));
    }

    /**
     * Ends a hold, with its back-off and its probe. What was spent stays spent, so the limits of the gate or queue are kept.
     *
     * @return false if it was not held
     */
    public boolean release(String name) {
        return release(store.holds().named(name));
    }

    /** The same for a gate or a queue that is named as such. */
    public boolean release(GateKey what) {
        return store.holds().release(what);
    }

    /**
     * Opens a gate or queue as if it were new: no hold, no back-off, nothing spent. What is in use stays in use. What starts next
     * comes on top of what was spent: {@link #release} only ends a hold.
     *
     * @return false if the store remembers nothing of it, because it was never used or its name is mistyped; then nothing is
     *     written
     */
    public boolean clear(String name) {
        return clear(store.holds().named(name));
    }

    /** The same for a gate or a queue that is named as such. */
    public boolean clear(GateKey what) {
        return store.holds().clear(what);
    }

    /** Lets nothing of this start until it is resumed: {@code pause(Pause.queue("mail"), "provider is down")}. */
    public void pause(Pause what, String reason) {
        store.policyStore().pause(what, author, storable("pause", what, reason));
    }

    private static String storable(String action, Object what, @Nullable String reason) {
        if (reason == null) {
            throw new IllegalArgumentException(
                    "%s of %s: expected a reason, got null; an empty one is allowed".formatted(action, what));
        }
        return Text.storable(reason, REASON_MAX);
    }

    /** Lets what was paused start again; returns false if it was not paused. */
    public boolean resume(Pause what) {
        return store.policyStore().resume(what);
    }

    /** Everything that is paused now. */
    public List<Paused> paused() {
        return store.policyStore().pauses().stream()
                .map(row -> new Paused(
                        row.pause(),
                        Micros.instant(row.note().now()),
                        row.note().author(),
                        row.note().reason()))
                .toList();
    }
}
