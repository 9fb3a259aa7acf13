package dev.headgate.schedule;

/** What becomes of runs that were missed: they were due while no worker ran or the store could not be reached. */
public enum Missed {
    /** They are left out. A run is on time for {@link DueRuns#GRACE} after its instant. */
    SKIP,

    /** One run makes up for all of them, that of the latest instant. The default. */
    ONE,

    /** Each is made up for, oldest first; of more than {@link DueRuns#MISSED_MAX} the newest. */
    ALL
}
