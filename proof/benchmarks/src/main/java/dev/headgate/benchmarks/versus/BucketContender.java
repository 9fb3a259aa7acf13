package dev.headgate.benchmarks.versus;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Bucket4j on PostgreSQL, no queue but a limiter: sixteen threads ask for a token for each number and then do nothing. There is no job to
 * claim or to end, so a decision costs it less than a start costs a queue.
 */
final class BucketContender implements Contender {
    private static final int THREADS = 16;
    private static final long NEVER_MET = 1_000_000;

    /** A request is stored nowhere, so this number outlives the contender. */
    private static final AtomicLong NEXT = new AtomicLong();

    private static final AtomicLong END = new AtomicLong();

    private final HikariDataSource pool;
    private final Load load;
    private final ProxyManager<Long> buckets;
    private final BucketConfiguration rate = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(NEVER_MET).refillGreedy(NEVER_MET, Duration.ofSeconds(1)))
            .build();
    private final List<Thread> threads = new ArrayList<>();

    BucketContender(String url, Load load) throws SQLException {
        this.load = load;
        pool = Pools.open(url, THREADS);
        Pools.execute(
                pool,
                "create table if not exists bucket (id bigint primary key, state bytea) with (fillfactor = 50);\n");
        buckets = Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool).build();
    }

    @Override
    public void enqueueAll(long first, int count) {
        NEXT.set(first);
        END.set(first + count);
    }

    @Override
    public void enqueue(long number) {
        enqueueAll(number, 1);
    }

    @Override
    public void work(LongConsumer handler) {
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> decide(handler)));
        }
    }

    private void decide(LongConsumer handler) {
        for (long number = NEXT.getAndIncrement(); number < END.get(); number = NEXT.getAndIncrement()) {
            long key = load == Load.HOT_RATE ? 0 : number % Load.KEYS;
            if (!buckets.getProxy(key, () -> rate).tryConsume(1)) {
                throw new IllegalStateException("key %d: expected a token, the limit is never met".formatted(key));
            }
            handler.accept(number);
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        pool.close();
    }
}
