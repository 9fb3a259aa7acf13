package dev.headgate.benchmarks.versus;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.QueueOptions;
import dev.dbos.transact.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * DBOS Transact: a workflow without steps on a queue that is polled every 50 ms without a limit of its own, which was faster than with
 * one. There is no call for many, so eight threads enqueue at once.
 */
final class DbosContender implements Contender {
    public interface Work {
        void run(long number);
    }

    public static final class Told implements Work {
        private final LongConsumer handler;

        Told(LongConsumer handler) {
            this.handler = handler;
        }

        @Override
        @Workflow
        public void run(long number) {
            handler.accept(number);
        }
    }

    private static final String QUEUE = "q";
    private static final int THREADS = 8;
    private static final int LOOKS_MAX = 500;

    private final HikariDataSource pool;
    private final DBOS client;
    private final Work work;
    private @Nullable DBOS worker;

    DbosContender(String url) {
        pool = Pools.open(url, 20);
        client = new DBOS(config().withListenQueues("none"));
        work = client.registerProxy(Work.class, new Told(number -> {}));
        client.launch();
        client.registerQueue(QUEUE, QueueOptions.setPollingInterval(Duration.ofMillis(50)));
    }

    private DBOSConfig config() {
        return DBOSConfig.defaults("bench").withDataSource(pool).withAppVersion("1");
    }

    @Override
    public void enqueueAll(long first, int count) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> parts = new ArrayList<>();
            for (int part = 0; part < THREADS; part++) {
                long from = first + part;
                parts.add(threads.submit(() -> {
                    for (long number = from; number < first + count; number += THREADS) {
                        enqueue(number);
                    }
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        }
    }

    @Override
    public void enqueue(long number) {
        client.startWorkflow(() -> work.run(number), new StartWorkflowOptions().withQueue(QUEUE));
    }

    @Override
    public void work(LongConsumer handler) {
        worker = new DBOS(config().withListenQueues(QUEUE));
        worker.registerProxy(Work.class, new Told(handler));
        worker.launch();
    }

    @Override
    public void close() throws SQLException, InterruptedException {
        if (worker != null) {
            awaitEnds();
            worker.shutdown();
        }
        client.shutdown();
        pool.close();
    }

    /** A shutdown does not wait for workflows to note their end; the next process would run them again. */
    private void awaitEnds() throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection();
                PreparedStatement running = connection.prepareStatement(
                        "select exists (select from dbos.workflow_status where status in ('PENDING', 'ENQUEUED'))")) {
            for (int looks = 0; looks < LOOKS_MAX; looks++) {
                try (ResultSet row = running.executeQuery()) {
                    if (row.next() && !row.getBoolean(1)) {
                        return;
                    }
                }
                Thread.sleep(20);
            }
        }
    }
}
