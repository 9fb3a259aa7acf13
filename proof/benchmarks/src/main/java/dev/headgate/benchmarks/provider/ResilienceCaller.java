package dev.headgate.benchmarks.provider;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.benchmarks.versus.Pools;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr with Resilience4j in each process: the handler waits for its process's own limiter, which has an equal part of what the provider allows.
 * A refused call fails, and JobRunr runs the job again some seconds later.
 */
final class ResilienceCaller implements Caller {
    /** JobRunr makes requests and handlers by reflection, so they are public and have no arguments. */
    public static final class Work implements JobRequest {
        private long job;

        public Work() {}

        Work(long job) {
            this.job = job;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    public static final class Handler implements JobRequestHandler<Work> {
        @Override
        public void run(Work work) throws IOException, InterruptedException {
            Objects.requireNonNull(working, "no caller works in this process").run(work.job);
        }
    }

    private static final int POLL_SECONDS = 5; // the least it allows
    private static volatile @Nullable ResilienceCaller working;

    private final HikariDataSource pool;
    private final StorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final RateLimiter limiter;
    private final int workers;
    private volatile @Nullable Endpoint endpoint;

    ResilienceCaller(String url, Allowance allowance, boolean isSpaced, int processes, int workers) {
        this.workers = workers;
        limiter = RateLimiter.of("provider", configuration(allowance, isSpaced, processes));
        pool = Pools.open(url, 20);
        storage = SqlStorageProviderFactory.using(pool);
        scheduler = JobRunr.configure()
                .useJsonMapper(new Jackson3JsonMapper())
                .useStorageProvider(storage)
                .initialize()
                .getJobRequestScheduler();
    }

    private static RateLimiterConfig configuration(Allowance allowance, boolean isSpaced, int processes) {
        return RateLimiterConfig.custom()
                .limitForPeriod(isSpaced ? 1 : Math.max(1, allowance.count() / processes))
                .limitRefreshPeriod(isSpaced ? allowance.spacing().multipliedBy(processes) : allowance.per())
                .timeoutDuration(Duration.ofHours(1))
                .build();
    }

    private void run(long job) throws IOException, InterruptedException {
        if (!Caller.isWarm(job)) {
            RateLimiter.waitForPermission(limiter);
        }
        if (!Objects.requireNonNull(endpoint).call(job)) {
            throw new Endpoint.RefusedException();
        }
    }

    @Override
    public void enqueue(List<Long> jobs) {
        scheduler.enqueue(jobs.stream().map(Work::new));
    }

    @Override
    public void work(Endpoint provider) {
        endpoint = provider;
        working = this;
        JobRunr.configure()
                .useJsonMapper(new Jackson3JsonMapper())
                .useStorageProvider(storage)
                .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(workers)
                        .andPollIntervalInSeconds(POLL_SECONDS))
                .initialize();
    }

    @Override
    public void close() {
        JobRunr.destroy();
        pool.close();
    }
}
