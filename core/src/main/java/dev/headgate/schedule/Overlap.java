package dev.headgate.schedule;

/** What becomes of a run that is due while an earlier one of the same schedule has not ended: it waits, runs or is retried. */
public enum Overlap {
    /** They go side by side, as far as their limits let them. The default. */
    ALLOW,

    /** The new one is left out. */
    SKIP,

    /** The new one waits until the earlier one has ended, well or not. One is kept; further ones are left out. */
    BUFFER
}
