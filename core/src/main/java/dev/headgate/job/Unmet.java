package dev.headgate.job;

/** What becomes of a waiting job when one that it waits for does not succeed: fails, is cancelled or is deleted. */
public enum Unmet {
    /** It ends the same way, without having run: FAILED if that job failed, else CANCELLED. Its detail says why. */
    FAIL,
    /** It runs all the same, once nothing else keeps it waiting. */
    IGNORE,
    /** It is deleted, as if it had never been enqueued. */
    REMOVE
}
