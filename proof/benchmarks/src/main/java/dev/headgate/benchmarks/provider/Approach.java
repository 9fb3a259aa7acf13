package dev.headgate.benchmarks.provider;

import java.util.Arrays;
import java.util.Locale;

/** The compared ways to keep a limit, and where each runs. */
enum Approach {
    HEADGATE("Headgate", true) {
        @Override
        Caller open(String url, Cell cell, int slots) {
            return new HeadgateCaller(url, cell.limit(), slots);
        }
    },
    BUCKET4J("db-scheduler 16.12, Bucket4j 8.18 on PostgreSQL in the handler", false) {
        @Override
        Caller open(String url, Cell cell, int slots) throws Exception {
            return new BucketCaller(url, cell.allowance(), cell.isSpaced(), slots);
        }
    },
    RESILIENCE4J("JobRunr 8.7, Resilience4j 2.3 in each process", false) {
        @Override
        Caller open(String url, Cell cell, int slots) {
            return new ResilienceCaller(url, cell.allowance(), cell.isSpaced(), cell.processes(), slots);
        }
    };

    private final String title;
    private final boolean isOnSqlite;

    Approach(String title, boolean isOnSqlite) {
        this.title = title;
        this.isOnSqlite = isOnSqlite;
    }

    abstract Caller open(String url, Cell cell, int slots) throws Exception;

    String title() {
        return title;
    }

    boolean runsOn(String store) {
        return isOnSqlite || !store.equals("sqlite");
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Approach of(String id) {
        return Arrays.stream(values())
                .filter(who -> who.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("who: expected any of %s, got '%s'"
                        .formatted(Arrays.stream(values()).map(Approach::id).toList(), id)));
    }
}
