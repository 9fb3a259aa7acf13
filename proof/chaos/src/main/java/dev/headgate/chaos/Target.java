package dev.headgate.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** A store that can be hurt, and how. */
interface Target extends AutoCloseable {
    /** Where workers and clients find it, whatever happens to it. */
    String url();

    /** What can be done to it besides hurting its processes, and how often. */
    Map<Fault, Duration> rhythm();

    /** Why a fault is not among these. */
    Map<Fault, String> skipped();

    /** Does it; false if that is not possible just now. */
    boolean hurt(Fault fault, Fleet fleet, Random random) throws Exception;

    /** What a worker finds in its environment to see another time. */
    Map<String, String> clock(Random random);

    /** Nothing is wrong with it from here on. */
    void heal() throws Exception;

    @Override
    void close() throws InterruptedException;
}
