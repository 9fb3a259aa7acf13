package dev.headgate.benchmarks.provider;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.benchmarks.versus.DbSchedulerTable;
import dev.headgate.benchmarks.versus.Pools;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler with Bucket4j on the same PostgreSQL: the handler waits for a token of one bucket that all processes share, then it calls. For
 * a provider with fixed windows the bucket is refilled when they begin; otherwise it fills steadily, as in Bucket4j's first example.
 */
final class BucketCaller implements Caller {
    private static final String TASK = "call";
    private static final int CALL = 1_000;
    private static final long PROVIDER = 1;
    private static final long WARM_UP = 2;
    private static final int AMPLE = 100_000;

    private final HikariDataSource pool;
    private final Scheduler scheduler;
    private final Bucket bucket;
    private final Bucket ample;
    private final AtomicLong next = new AtomicLong();
    private volatile @Nullable Endpoint endpoint;

    BucketCaller(String url, Allowance allowance, boolean isSpaced, int threads) throws SQLException {
        pool = Pools.open(url, threads + 5);
        DbSchedulerTable.create(pool, false);
        Pools.execute(pool, "create table if not exists bucket (id bigint primary key, state bytea);\n");
        ProxyManager<Long> buckets =
                Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool).build();
        bucket = buckets.getProxy(PROVIDER, () -> configuration(allowance, isSpaced));
        ample = buckets.getProxy(
                WARM_UP,
                () -> BucketConfiguration.builder()
                        .addLimit(limit -> limit.capacity(AMPLE).refillGreedy(AMPLE, Duration.ofSeconds(1)))
                        .build());
        SchedulerBuilder builder = Scheduler.create(
                        pool,
                        Tasks.oneTime(TASK, Long.class)
                                .onFailure((failed, operations) -> operations.reschedule(
                                        failed, Instant.now().plusSeconds(1)))
                                .execute((instance, context) -> run(instance.getData())))
                .serializer(new Digits())
                .pollingInterval(Duration.ofMillis(100))
                .threads(threads)
                .pollUsingLockAndFetch(0.5, 1.0);
        scheduler = builder.build();
    }

    private static BucketConfiguration configuration(Allowance allowance, boolean isSpaced) {
        int count = allowance.count();
        Duration per = allowance.per();
        return BucketConfiguration.builder()
                .addLimit(limit -> {
                    if (isSpaced) {
                        return limit.capacity(1).refillGreedy(1, allowance.spacing());
                    }
                    return allowance.kind() == Allowance.Kind.FIXED
                            ? limit.capacity(count).refillIntervallyAligned(count, per, beginOfWindow(per))
                            : limit.capacity(count).refillGreedy(count, per);
                })
                .build();
    }

    private static Instant beginOfWindow(Duration per) {
        long millis = per.toMillis();
        return Instant.ofEpochMilli((Instant.now().toEpochMilli() / millis + 1) * millis);
    }

    private void run(long job) {
        Endpoint provider = endpoint;
        if (provider == null) {
            throw new IllegalStateException("a scheduler that was not told to work has started a job");
        }
        try {
            (Caller.isWarm(job) ? ample : bucket).asBlocking().consume(1);
            if (!provider.call(job)) {
                throw new Endpoint.RefusedException();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void enqueue(List<Long> jobs) {
        Instant now = Instant.now();
        for (int from = 0; from < jobs.size(); from += CALL) {
            List<TaskInstance<?>> batch = new ArrayList<>();
            for (Long job : jobs.subList(from, Math.min(jobs.size(), from + CALL))) {
                batch.add(new TaskInstance<>(TASK, Long.toString(next.incrementAndGet()), job));
            }
            scheduler.scheduleBatch(batch, now);
        }
    }

    @Override
    public void work(Endpoint provider) {
        endpoint = provider;
        scheduler.start();
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }

    private static final class Digits implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return data.toString().getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] digits) {
            return type.cast(Long.valueOf(new String(digits, StandardCharsets.US_ASCII)));
        }
    }
}
