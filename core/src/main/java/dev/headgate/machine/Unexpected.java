package dev.headgate.machine;

/** What becomes of an event that no transition of the present state takes. The timeline shows it in both cases. */
public enum Unexpected {
    /** Nothing: the instance stays as it is. */
    IGNORE,
    /** The instance fails, with the reason; it can be retried from the state it was in. */
    FAIL
}
