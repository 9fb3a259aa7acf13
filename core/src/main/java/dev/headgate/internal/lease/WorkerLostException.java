package dev.headgate.internal.lease;

/** The worker's lease has ended: nothing it asked for was done, and its jobs belong to others. It must register again. */
public final class WorkerLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WorkerLostException(String worker) {
        super("worker %s: its lease has ended; its jobs go back to their lanes, and it must register again"
                .formatted(worker));
    }
}
