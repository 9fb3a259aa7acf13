package dev.headgate.benchmarks.versus;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The compared engines, each with the settings it runs with and how many jobs it gets for each thousand that Headgate
 * gets.
 */
enum Entrant {
    HEADGATE("headgate", "one worker, 2,000 slots, a queue gate on every claim", 1_000, 1_000) {
        @Override
        Contender open(String url, Load load) {
            return new HeadgateContender(url, load);
        }
    },
    RAW("raw SQL", "one connection, each statement ends 500 jobs and claims 500", 2_000, 1_500) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return Pools.isSqlite(url) ? new RawSqlite(url) : new RawPostgres(url, 1, false);
        }
    },
    RAW_TWICE("raw SQL, two loops", "as raw SQL, on two connections at once", 2_000, 0) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new RawPostgres(url, 2, false);
        }
    },
    RAW_COMMIT("raw SQL, insert, commit", "as raw SQL, in transactions of two statements", 2_000, 0) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new RawPostgres(url, 1, true);
        }
    },
    DB_SCHEDULER(
            "db-scheduler 16.12", "PostgreSQL: lock-and-fetch 4/20, 50 threads; SQLite: fetch, 20 threads", 300, 50) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new DbSchedulerContender(url);
        }
    },
    RAW_LANES(
            "raw SQL with lanes",
            "one connection; 500 lanes, their gates and jobs in five statements a turn",
            1_000,
            0) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new RawLanes(url);
        }
    },
    JOBRUNR("JobRunr 8.7", "100 workers on virtual threads, poll of 5 s, its least", 100, 30) {
        @Override
        Contender open(String url, Load load) {
            return new JobRunrContender(url);
        }
    },
    DBOS("DBOS Transact 1.1.0-m6", "a queue without limits, poll of 50 ms; no bulk call: 8 threads enqueue", 40, 0) {
        @Override
        Contender open(String url, Load load) {
            return new DbosContender(url);
        }
    },
    QUARTZ("Quartz 2.5.2", "clustered, 20 threads, 20 triggers at once", 5, 0) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new QuartzContender(url);
        }
    },
    BUCKET4J("Bucket4j 8.18", "select for update, 16 threads; decisions only, no jobs", 150, 0) {
        @Override
        Contender open(String url, Load load) throws Exception {
            return new BucketContender(url, load);
        }
    };

    private final String title;
    private final String setting;
    private final int jobsOnPostgres;
    private final int jobsOnSqlite;

    Entrant(String title, String setting, int jobsOnPostgres, int jobsOnSqlite) {
        this.title = title;
        this.setting = setting;
        this.jobsOnPostgres = jobsOnPostgres;
        this.jobsOnSqlite = jobsOnSqlite;
    }

    /** Opens it on a database, making its tables if they are not there. */
    abstract Contender open(String url, Load load) throws Exception;

    /** As options name it: {@code db-scheduler}. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Those that are named, separated by commas, or all. */
    static Set<Entrant> named(String ids) {
        if (ids.isBlank()) {
            return EnumSet.allOf(Entrant.class);
        }
        Set<Entrant> named = EnumSet.noneOf(Entrant.class);
        for (String id : ids.split(",", -1)) {
            named.add(Arrays.stream(values())
                    .filter(who -> who.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("who: expected any of %s, got '%s'"
                            .formatted(
                                    Arrays.stream(values()).map(Entrant::id).collect(Collectors.joining(", ")), id))));
        }
        return named;
    }

    String title() {
        return title;
    }

    String setting() {
        return setting;
    }

    /** How many jobs it gets where Headgate gets so many, so that its round takes about as long; 0 where it does not run. */
    int share(String store, int jobs) {
        return (int) ((long) jobs * (store.equals("sqlite") ? jobsOnSqlite : jobsOnPostgres) / 1_000);
    }
}
