package dev.headgate.job;

/** What became of a request to change one job or one run by hand. If there is no such job or run, the request throws. */
public enum OperationResult {
    /** It is done. */
    DONE,
    /** The job runs: its worker was asked to stop it, and its end follows. */
    REQUESTED,
    /** Nothing was changed: the job or run is in a state in which the request makes no sense. */
    WRONG_STATE
}
