package dev.headgate.limit;

import dev.headgate.limit.BacklogCap.Overflow;

/** An enqueue that would have made a capped backlog too long. Nothing was stored. */
public final class BacklogFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * How far beyond its cap a backlog is counted for a refused enqueue; a lowered cap may have a million jobs above
     * it.
     */
    public static final int COUNTED_BEYOND = 1_000;

    private final transient GateKey key;
    private final transient BacklogCap cap;

    public BacklogFullException(GateKey key, BacklogCap cap, int waiting, int asked) {
        super("%s: %s jobs wait, at most %d may, so %d more cannot be enqueued; try later, or raise the cap%s"
                .formatted(key, counted(waiting, cap), cap.max(), asked, patience(cap)));
        this.key = key;
        this.cap = cap;
    }

    private static String patience(BacklogCap cap) {
        return cap.overflow() == Overflow.BLOCK
                ? " (an enqueue waits for room for up to %s, but never in a caller's transaction)"
                        .formatted(Spans.text(cap.patience()))
                : "";
    }

    private static String counted(int waiting, BacklogCap cap) {
        return (waiting - cap.max() >= COUNTED_BEYOND ? "at least " : "") + waiting;
    }

    /** The queue or gate whose backlog is full. */
    public GateKey key() {
        return key;
    }

    public BacklogCap cap() {
        return cap;
    }
}
