package dev.headgate.store;

import dev.headgate.admission.BacklogCap;
import dev.headgate.admission.GateKey;

/** An enqueue that would have made a capped backlog too long. Nothing was stored. */
public final class BacklogFullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient GateKey key;
    private final transient BacklogCap cap;

    public BacklogFullException(GateKey key, BacklogCap cap, int waiting, int asked) {
        super("%s: %d jobs wait, at most %d may, so %d more cannot be enqueued; try later, or raise the cap"
                .formatted(key, waiting, cap.max(), asked));
        this.key = key;
        this.cap = cap;
    }

    /** The queue or gate whose backlog is full. */
    public GateKey key() {
        return key;
    }

    public BacklogCap cap() {
        return cap;
    }
}
