package dev.headgate.proof.simulation;

/** What goes wrong in a simulated world, or is done to it; the weight tells how often. */
public enum FaultKind {
    LOST_REPLY(14, "the next write of a process is done, but its answer is lost"),
    REFUSED(12, "the next call of a process fails before anything is done"),
    CRASH(4, "a process dies"),
    CRASH_BEFORE_COMMIT(5, "a process dies in its next write, of which nothing remains"),
    CRASH_AFTER_COMMIT(5, "a process dies after its next write, before it hears of it"),
    SLOW_REQUEST(7, "the next call of a process reaches the store late"),
    SLOW_REPLY(7, "the answer to the next call of a process comes late"),
    PAUSE(4, "a process stands still for up to four leases"),
    SKEW(2, "the clock on the wall of a process is off"),
    STORE_DOWN(2, "nobody reaches the store for a while"),
    CLOCK_BACK(2, "the store's clock steps back"),
    CLOCK_JUMP(1, "the store's clock jumps ahead"),
    LOST_WAKES(5, "a process hears no wake-up for a while"),
    POLICY(8, "somebody changes a policy, for good or for a while, or takes a change back"),
    HOLD(3, "somebody shuts a gate for a while"),
    CLEAR(1, "somebody opens a gate as if it were new"),
    PAUSED_WORK(5, "a queue, a gate or a type is paused for a while"),
    STOP(5, "a process is asked to stop, and started again"),
    STOP_NOW(1, "a process is asked to stop at once, and started again"),
    OLD_VERSION(2, "a process is replaced by one that knows fewer types and queues"),
    SCHEDULE(4, "somebody puts, changes or removes a schedule");

    private final int weight;
    private final String text;

    FaultKind(int weight, String text) {
        this.weight = weight;
        this.text = text;
    }

    int weight() {
        return weight;
    }

    public String text() {
        return text;
    }

    /** Whether it can make two handlers of one job meet, because time passes that a process does not see. */
    boolean isTimeLost() {
        return this == PAUSE || this == SLOW_REQUEST || this == SLOW_REPLY || this == CLOCK_JUMP || this == CLOCK_BACK;
    }
}
