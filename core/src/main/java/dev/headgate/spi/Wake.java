package dev.headgate.spi;

/** Something changed that a sleeping worker may want to see. */
public sealed interface Wake {
    /** A queue may have a job that can start. */
    record Queue(String name) implements Wake {}

    /** A job is just being written into a queue. Told in its own process only, as a hint. */
    record Coming(String queue) implements Wake {}

    /** A running job was asked to stop. */
    record Cancel() implements Wake {}

    /** Something may have changed, but not what: look at everything. */
    record Anything() implements Wake {}
}
