package dev.headgate.internal.admission;

/** How a job came back, as far as its gates are concerned. */
public enum ReleaseKind {
    /** It ran: whatever the gate stands for did not push back. */
    OK,
    /** What the gate stands for pushed back, as with a 429. */
    REJECTED,
    /** It tells nothing: the job was handed back before it was done. */
    UNKNOWN,
    /** Its worker was lost: its handler may have made its call just now, or be about to. */
    LOST
}
