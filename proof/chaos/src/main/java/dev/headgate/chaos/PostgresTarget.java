package dev.headgate.chaos;

import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A primary with a synchronous standby, behind a proxy. */
final class PostgresTarget implements Target {
    private static final int SILENT_PERCENT = 50;

    private final Cluster cluster;
    private final Proxy proxy;
    private final @Nullable String clockLibrary = Tools.clockLibrary();
    private @Nullable Thread building;
    private volatile @Nullable Exception buildFailed;

    PostgresTarget(Folder folder) throws SQLException {
        cluster = new Cluster(folder.root());
        proxy = new Proxy(cluster.primary().port());
        cluster.addStandby();
    }

    @Override
    public String url() {
        return Server.url(proxy.port(), Server.DATABASE);
    }

    @Override
    public Map<Fault, Duration> rhythm() {
        Map<Fault, Duration> all = new EnumMap<>(Fault.class);
        all.put(Fault.RESTART, Duration.ofSeconds(20));
        all.put(Fault.FAILOVER, Duration.ofSeconds(30));
        all.put(Fault.CUT, Duration.ofSeconds(11));
        all.put(Fault.DELAY, Duration.ofSeconds(17));
        all.put(Fault.SILENCE, Duration.ofSeconds(40));
        all.put(Fault.LOST_COMMIT, Duration.ofSeconds(4));
        return all;
    }

    @Override
    public Map<Fault, String> skipped() {
        return clockLibrary == null ? Map.of(Fault.CLOCK, Tools.NO_CLOCK_LIBRARY) : Map.of();
    }

    @Override
    public boolean hurt(Fault fault, Fleet fleet, Random random) throws Exception {
        switch (fault) {
            case RESTART -> {
                if (!isWhole()) {
                    return false;
                }
                cluster.restart();
            }
            case FAILOVER -> {
                if (!isWhole()) {
                    return false;
                }
                failOver(random);
            }
            case CUT -> proxy.cut();
            case DELAY -> delayForASecond();
            case SILENCE -> proxy.silence(random, SILENT_PERCENT);
            case LOST_COMMIT -> proxy.swallowCommits(1);
            default -> throw new IllegalArgumentException("not a fault of a store: " + fault);
        }
        return true;
    }

    /** Every other time the old primary's connections do not break, they fall silent, as when a machine is gone. */
    private void failOver(Random random) throws Exception {
        if (random.nextBoolean()) {
            proxy.silence(random, 100);
        }
        cluster.failOver();
        proxy.leadTo(cluster.primary().port());
        building = Thread.ofPlatform().name("standby").start(() -> {
            try {
                cluster.addStandby();
            } catch (SQLException | RuntimeException failed) {
                buildFailed = failed;
            }
        });
    }

    private boolean isWhole() {
        return cluster.hasStandby();
    }

    private void delayForASecond() {
        proxy.delay(Duration.ofMillis(20));
        Thread.ofVirtual().start(() -> {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            proxy.delay(Duration.ZERO);
        });
    }

    /** Every third worker is up to a minute and a half wrong. */
    @Override
    public Map<String, String> clock(Random random) {
        if (clockLibrary == null || random.nextInt(3) > 0) {
            return Map.of();
        }
        return Tools.clock(clockLibrary, random.nextInt(181) - 90);
    }

    @Override
    public void heal() throws Exception {
        proxy.behave();
        Thread builder = building;
        if (builder != null) {
            builder.join();
        }
        Exception failed = buildFailed;
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void close() throws InterruptedException {
        Thread builder = building;
        if (builder != null) {
            builder.join();
        }
        proxy.close();
        cluster.close();
    }
}
