package dev.headgate.machine;

/** What an event does that no transition of the present state takes. Either way the history tells of it. */
public enum Unexpected {
    /** Nothing: the instance stays as it is. */
    IGNORE,
    /** The instance fails, with the reason; it can be retried from the state it was in. */
    FAIL
}
