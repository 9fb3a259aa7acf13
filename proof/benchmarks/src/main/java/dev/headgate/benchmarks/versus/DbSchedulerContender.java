package dev.headgate.benchmarks.versus;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * db-scheduler with the settings its own pages call fastest: lock-and-fetch with limits 4 and 20 and 50 threads on PostgreSQL. SQLite
 * has no lock-and-fetch there, so it fetches; one connection, because more only wait for each other's locks, and without automatic
 * commits, or each row of a batch would be a commit of its own. Payloads are
 * written as plain digits, which costs less than any serializer it comes with. It keeps no history: a job that is done is deleted.
 */
final class DbSchedulerContender implements Contender {
    private static final String TASK = "work";
    private static final int CALL = 1_000;
    private static final int THREADS = 50;

    private final HikariDataSource pool;
    private final boolean isSqlite;
    private final Scheduler scheduler;
    private volatile LongConsumer handler = number -> {};

    DbSchedulerContender(String url) throws SQLException {
        isSqlite = Pools.isSqlite(url);
        pool = isSqlite ? Pools.withoutAutoCommit(url, 1) : Pools.open(url, THREADS);
        DbSchedulerTable.create(pool, isSqlite);
        scheduler = builder().build();
    }

    private SchedulerBuilder builder() {
        OneTimeTask<Long> task =
                Tasks.oneTime(TASK, Long.class).execute((instance, context) -> handler.accept(instance.getData()));
        SchedulerBuilder builder = Scheduler.create(pool, task)
                .serializer(new Digits())
                .pollingInterval(Duration.ofMillis(100))
                .commitWhenAutocommitDisabled(isSqlite)
                .enableImmediateExecution();
        return isSqlite
                ? builder.threads(20).pollUsingFetch(0.5, 3.0)
                : builder.threads(THREADS).pollUsingLockAndFetch(4.0, 20.0);
    }

    @Override
    public void enqueueAll(long first, int count) {
        Instant now = Instant.now();
        for (long from = first; from < first + count; from += CALL) {
            List<TaskInstance<?>> call = new ArrayList<>(CALL);
            for (long number = from; number < Math.min(first + count, from + CALL); number++) {
                call.add(instance(number));
            }
            scheduler.scheduleBatch(call, now);
        }
    }

    @Override
    public void enqueue(long number) {
        scheduler.schedule(instance(number), Instant.now());
    }

    private static TaskInstance<Long> instance(long number) {
        return new TaskInstance<>(TASK, Long.toString(number), number);
    }

    @Override
    public void work(LongConsumer onStart) {
        handler = onStart;
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
