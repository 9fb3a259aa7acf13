package dev.headgate.benchmarks.versus;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/**
 * JobRunr, free edition: job requests, 100 workers on virtual threads, and the shortest poll it allows, which is 5 seconds. While jobs wait, a
 * worker that is done asks for more at once.
 */
final class JobRunrContender implements Contender {
    /** JobRunr makes requests and handlers by reflection, so they are public and have no arguments. */
    public static final class Work implements JobRequest {
        private long number;

        public Work() {}

        Work(long number) {
            this.number = number;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    public static final class Handler implements JobRequestHandler<Work> {
        @Override
        public void run(Work work) {
            handler.accept(work.number);
        }
    }

    private static final int WORKERS = 100;
    private static volatile LongConsumer handler = number -> {};

    private final HikariDataSource pool;
    private final StorageProvider storage;
    private final JobRequestScheduler scheduler;

    JobRunrContender(String url) {
        // With one connection its migrations wait for another for ever.
        pool = Pools.open(url, Pools.isSqlite(url) ? 4 : 50);
        storage = SqlStorageProviderFactory.using(pool);
        scheduler = JobRunr.configure()
                .useJsonMapper(new Jackson3JsonMapper())
                .useStorageProvider(storage)
                .initialize()
                .getJobRequestScheduler();
    }

    @Override
    public void enqueueAll(long first, int count) {
        scheduler.enqueue(LongStream.range(first, first + count).mapToObj(Work::new));
    }

    @Override
    public void enqueue(long number) {
        scheduler.enqueue(new Work(number));
    }

    @Override
    public void work(LongConsumer onStart) {
        handler = onStart;
        JobRunr.configure()
                .useJsonMapper(new Jackson3JsonMapper())
                .useStorageProvider(storage)
                .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(WORKERS)
                        .andPollIntervalInSeconds(5))
                .initialize();
    }

    @Override
    public void close() {
        JobRunr.destroy();
        pool.close();
    }
}
