package dev.headgate.job;

/** What came of an operator's request about one job. */
public enum JobActResult {
    /** Done, and nothing can undo it silently. */
    DONE,
    /** The job runs; its worker has been asked and will report. */
    REQUESTED,
    /** The job is in a state in which this makes no sense. */
    WRONG_STATE,
    /** No such job, live or in history. */
    NOT_FOUND
}
