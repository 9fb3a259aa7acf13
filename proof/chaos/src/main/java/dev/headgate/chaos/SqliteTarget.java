package dev.headgate.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** A file. It has no server to crash: all processes that have it open die at once, and the next one recovers its log. */
final class SqliteTarget implements Target {
    private static final String NO_SERVER = "SQLite has no server and no network";

    private final String url;

    SqliteTarget(Folder folder) {
        this.url = "jdbc:sqlite:" + folder.root().resolve("jobs.db");
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Map<Fault, Duration> rhythm() {
        return Map.of(Fault.RESTART, Duration.ofSeconds(24));
    }

    @Override
    public Map<Fault, String> skipped() {
        return Map.of(
                Fault.FAILOVER, NO_SERVER,
                Fault.CUT, NO_SERVER,
                Fault.DELAY, NO_SERVER,
                Fault.SILENCE, NO_SERVER,
                Fault.LOST_COMMIT, NO_SERVER,
                Fault.CLOCK, "the processes of one machine share its clock; the simulation moves it");
    }

    @Override
    public boolean hurt(Fault fault, Fleet fleet, Random random) throws InterruptedException {
        fleet.killAll();
        return true;
    }

    @Override
    public Map<String, String> clock(Random random) {
        return Map.of();
    }

    @Override
    public void heal() {
        // Nothing is ever wrong with a file here.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
