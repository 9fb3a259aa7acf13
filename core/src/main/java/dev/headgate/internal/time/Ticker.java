package dev.headgate.internal.time;

/** Elapsed time in this process: monotonic, never compared with store time. */
@FunctionalInterface
public interface Ticker {
    Ticker SYSTEM = System::nanoTime;

    /** Nanoseconds from an arbitrary origin. */
    long nanos();
}
