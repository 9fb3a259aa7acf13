package dev.headgate.job;

/** Why a job was set aside. */
public enum ParkReason {
    /** No handler for its type; a worker that has one revives it when it starts. */
    UNKNOWN_HANDLER,
    /** Its payload does not fit the handler's type. */
    UNREADABLE_PAYLOAD,
    /** It asks for more than a gate can ever admit. */
    NEVER_FITS,
    /** Its job type is paused; it goes back to its place when the type is resumed. */
    PAUSED
}
