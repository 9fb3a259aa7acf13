package dev.headgate.internal.run;

/** What became of an event that was sent to a state machine. */
public enum SendResult {
    NEW,
    /** One with the same key was delivered before; nothing was done. */
    KNOWN,
    /** There is no such run. */
    UNKNOWN,
    /** The run has ended. */
    ENDED,
    /** The definition of the run has no such event, or is none of a state machine. */
    NOT_TAKEN
}
