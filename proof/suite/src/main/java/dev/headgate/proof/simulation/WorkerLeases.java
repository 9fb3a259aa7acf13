package dev.headgate.proof.simulation;

import dev.headgate.spi.WorkerRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** I3 and I5 for whole workers: a lease that has ended is never extended, and a valid one is never taken away. */
final class WorkerLeases {
    private final Judge judge;
    private final Tracks tracks;
    private final Map<String, Long> until = new HashMap<>();
    private final Map<String, Beat> beats = new HashMap<>();
    private @Nullable Sending sending;

    /**
     * The last heartbeat or registration of a worker that the store has taken.
     *
     * @param jumpedMicros how far the store's clock had jumped ahead by then, in all
     */
    record Beat(Sending sending, long jumpedMicros) {}

    WorkerLeases(Judge judge, Tracks tracks) {
        this.judge = judge;
        this.tracks = tracks;
    }

    /** The commit that follows was asked for by this call. */
    void sent(Sending call) {
        sending = call;
    }

    /** Absent if the store has never heard of such a worker. Also of one that is gone. */
    @Nullable
    Beat lastBeat(@Nullable String worker) {
        return worker == null ? null : beats.get(worker);
    }

    private void beats(String worker) {
        if (sending != null) {
            beats.put(worker, new Beat(sending, tracks.callers().jumpedMicros()));
        }
    }

    void registered(WorkerRow worker) {
        judge.noted(Judge.REGISTER, 0, worker.leaseUntil(), tracks.now());
        until.put(worker.id(), worker.leaseUntil());
        beats(worker.id());
    }

    void extended(String worker, long newUntil) {
        judge.noted(Judge.BEAT, 0, newUntil, tracks.now());
        checkValid(worker, "was extended");
        until.put(worker, newUntil);
        beats(worker);
    }

    /** A turn was accepted. */
    void shifted(String worker) {
        checkValid(worker, "was good for a turn");
    }

    private void checkValid(String worker, String what) {
        Long ends = until.get(worker);
        if (ends == null || ends <= tracks.now()) {
            judge.broken("I5", "worker %s: its lease %s after it had ended".formatted(worker, what));
        }
    }

    /** Its jobs are taken back. */
    void taken(String worker, boolean isGoodbye) {
        judge.noted(Judge.LOSE, 0, isGoodbye ? 1 : 0, tracks.now());
        Long ends = until.get(worker);
        if (!isGoodbye && ends != null && ends > tracks.now()) {
            judge.broken(
                    "I3",
                    "worker %s: its jobs are taken back %d microseconds before its lease ends"
                            .formatted(worker, ends - tracks.now()));
        }
    }

    void gone(String worker) {
        until.remove(worker);
    }

    boolean isKnown(String worker) {
        return until.containsKey(worker);
    }

    int count() {
        return until.size();
    }
}
