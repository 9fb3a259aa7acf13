package dev.headgate.benchmarks.versus;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.LongConsumer;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Quartz in a cluster, which is what other machines would need: 20 threads that take 20 triggers at once. */
final class QuartzContender implements Contender {
    /** Quartz makes it by reflection. */
    public static final class Work implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            handler.accept(Long.parseLong(context.getMergedJobDataMap().getString(NUMBER)));
        }
    }

    private static final String NUMBER = "n";
    private static final int CALL = 500;
    private static volatile LongConsumer handler = number -> {};

    private final Scheduler scheduler;

    QuartzContender(String url) throws SQLException, IOException, SchedulerException {
        try (HikariDataSource pool = Pools.open(url, 1)) {
            if (!isThere(pool)) {
                Pools.execute(pool, schema());
            }
        }
        Properties settings = new Properties();
        settings.putAll(Map.ofEntries(
                Map.entry("org.quartz.scheduler.instanceName", "bench"),
                Map.entry("org.quartz.scheduler.instanceId", "AUTO"),
                Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "20"),
                // How often it looks for what other processes scheduled: its least.
                Map.entry("org.quartz.scheduler.idleWaitTime", "1000"),
                Map.entry("org.quartz.threadPool.threadCount", "20"),
                Map.entry("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX"),
                Map.entry("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),
                Map.entry("org.quartz.jobStore.isClustered", "true"),
                Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
                Map.entry("org.quartz.jobStore.useProperties", "true"),
                // A backlog is no misfire.
                Map.entry("org.quartz.jobStore.misfireThreshold", "3600000"),
                Map.entry("org.quartz.jobStore.dataSource", "d"),
                Map.entry("org.quartz.dataSource.d.provider", "hikaricp"),
                Map.entry("org.quartz.dataSource.d.driver", "org.postgresql.Driver"),
                Map.entry("org.quartz.dataSource.d.URL", url),
                Map.entry("org.quartz.dataSource.d.user", "postgres"),
                Map.entry("org.quartz.dataSource.d.password", "postgres"),
                Map.entry("org.quartz.dataSource.d.maxConnections", "24")));
        scheduler = new StdSchedulerFactory(settings).getScheduler();
    }

    private static boolean isThere(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select to_regclass('qrtz_locks') is not null")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static String schema() throws IOException {
        try (InputStream file =
                Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void enqueueAll(long first, int count) throws SchedulerException {
        for (long from = first; from < first + count; from += CALL) {
            Map<JobDetail, Set<? extends Trigger>> call = new HashMap<>();
            for (long number = from; number < Math.min(first + count, from + CALL); number++) {
                JobDetail job = job(number);
                call.put(job, Set.of(now(job)));
            }
            scheduler.scheduleJobs(call, false);
        }
    }

    @Override
    public void enqueue(long number) throws SchedulerException {
        JobDetail job = job(number);
        scheduler.scheduleJob(job, now(job));
    }

    private static JobDetail job(long number) {
        return JobBuilder.newJob(Work.class)
                .withIdentity(Long.toString(number))
                .usingJobData(NUMBER, Long.toString(number))
                .build();
    }

    private static Trigger now(JobDetail job) {
        return TriggerBuilder.newTrigger()
                .forJob(job)
                .withIdentity(job.getKey().getName())
                .startNow()
                .build();
    }

    @Override
    public void work(LongConsumer onStart) throws SchedulerException {
        handler = onStart;
        scheduler.start();
    }

    @Override
    public void close() throws SchedulerException {
        scheduler.shutdown(true);
    }
}
