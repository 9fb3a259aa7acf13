package dev.headgate.internal.admission;

/** How a job came back, as its gates see it. */
public enum ReleaseKind {
    /** It ran, and what the gate stands for did not push back. */
    OK,
    /** What the gate stands for pushed back, as with a 429. */
    REJECTED,
    /** It says nothing: the job was handed back before it was done. */
    UNKNOWN,
    /** Its worker was lost: its handler may have made its call just now, or may be about to. */
    LOST
}
