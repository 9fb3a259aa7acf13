package dev.headgate.internal.admission;

/**
 * The head of a lane as a gate sees it: its lane, its age, its cost there. Job 0 is a job of which no more is
 * known.
 */
public record Waiter(String lane, long rank, long cost, long job, String share) {
    public Waiter(String lane, long rank, long cost) {
        this(lane, rank, cost, 0, "");
    }
}
