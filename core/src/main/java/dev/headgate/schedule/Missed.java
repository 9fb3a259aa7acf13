package dev.headgate.schedule;

import java.time.Duration;

/** What becomes of runs that were missed: they were due while no worker ran or the store could not be reached. */
public enum Missed {
    /** They are left out. A run is on time for {@link #GRACE} after its instant. */
    SKIP,

    /** One run makes up for all of them, that of the latest instant. The default. */
    ONE,

    /** Each is made up for, oldest first; of more than {@link #MADE_UP_MAX} the newest. */
    ALL;

    /** How late a run may be and still counts as on time. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    /** The most missed runs that are made up for at once. */
    public static final int MADE_UP_MAX = 1_000;
}
