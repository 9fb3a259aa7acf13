package dev.headgate.benchmarks.versus;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A question that is put to several entrants. Ratios are to the first of them. */
public enum Contest {
    /** How fast jobs that do nothing are worked off. */
    DRAIN,

    /** How fast jobs are put in line: many a call, and one a call. */
    ENQUEUE,

    /** How soon a job starts on an idle system: in the process that enqueued it, and in another. */
    LATENCY,

    /** How fast jobs are worked off that must all pass three limits, beside those without any. */
    LIMITS,

    /** How fast jobs start that must pass a rate, beside how fast a limiter alone can decide. */
    DECISIONS;

    /** What each process of a contest does. */
    enum Phase {
        DRAIN,
        ENQUEUE,
        LATENCY,

        /** The other process of {@link #LATENCY}. */
        SERVE
    }

    /** As on the command line and in file names. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    Phase phase() {
        return switch (this) {
            case DRAIN, LIMITS, DECISIONS -> Phase.DRAIN;
            case ENQUEUE -> Phase.ENQUEUE;
            case LATENCY -> Phase.LATENCY;
        };
    }

    List<Entry> entries() {
        return switch (this) {
            case DRAIN ->
                plain(
                        Entrant.HEADGATE,
                        Entrant.RAW,
                        Entrant.RAW_TWICE,
                        Entrant.DB_SCHEDULER,
                        Entrant.JOBRUNR,
                        Entrant.DBOS,
                        Entrant.QUARTZ);
            case ENQUEUE ->
                plain(
                        Entrant.HEADGATE,
                        Entrant.RAW,
                        Entrant.RAW_COMMIT,
                        Entrant.DB_SCHEDULER,
                        Entrant.JOBRUNR,
                        Entrant.DBOS,
                        Entrant.QUARTZ);
            case LATENCY ->
                plain(Entrant.HEADGATE, Entrant.DB_SCHEDULER, Entrant.JOBRUNR, Entrant.DBOS, Entrant.QUARTZ);
            case LIMITS ->
                List.of(
                        new Entry(Entrant.HEADGATE, Load.LIMITED),
                        new Entry(Entrant.RAW_LANES, Load.LIMITED),
                        new Entry(Entrant.HEADGATE, Load.PLAIN),
                        new Entry(Entrant.DB_SCHEDULER, Load.PLAIN));
            case DECISIONS ->
                List.of(
                        new Entry(Entrant.HEADGATE, Load.HOT_RATE),
                        new Entry(Entrant.BUCKET4J, Load.HOT_RATE),
                        new Entry(Entrant.HEADGATE, Load.KEYED_RATE),
                        new Entry(Entrant.BUCKET4J, Load.KEYED_RATE));
        };
    }

    private static List<Entry> plain(Entrant... entrants) {
        return Stream.of(entrants).map(who -> new Entry(who, Load.PLAIN)).toList();
    }
}
