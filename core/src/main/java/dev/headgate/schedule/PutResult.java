package dev.headgate.schedule;

/** What came of putting a schedule. */
public enum PutResult {
    CREATED,
    CHANGED,
    /** It was stored like this already. */
    UNCHANGED
}
