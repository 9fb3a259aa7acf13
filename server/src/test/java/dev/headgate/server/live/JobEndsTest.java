package dev.headgate.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobEndsTest {
    @TempDir
    Path folder;

    private Headgate headgate;
    private Backend backend;
    private JobEnds ends;

    @BeforeEach
    void open() {
        headgate = Headgate.open("jdbc:sqlite:" + folder.resolve("jobs.db"));
        backend = OpenStore.of(headgate);
        ends = new JobEnds(backend);
    }

    @AfterEach
    void close() {
        headgate.close();
    }

    private List<JobId> jobs(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> headgate.enqueueJson("send", "{}", job -> {}).id())
                .toList();
    }

    private long statementsWhileWaiting(List<JobId> ids) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long before = backend.statements();
            List<Future<Optional<JobStatus>>> all = new ArrayList<>();
            for (JobId id : ids) {
                all.add(threads.submit(() -> ends.await(id, Duration.ofSeconds(2))));
            }
            for (Future<Optional<JobStatus>> each : all) {
                assertThat(each.get()).isEmpty();
            }
            return backend.statements() - before;
        }
    }

    @Test
    void twoHundredThatWaitCostTheStoreNoMoreThanOne() throws Exception {
        List<JobId> ids = jobs(200);
        long one = statementsWhileWaiting(ids.subList(0, 1));
        long many = statementsWhileWaiting(ids);
        assertThat(one).isBetween(5L, 200L);
        assertThat(many).isLessThan(2 * one);
        long before = backend.statements();
        assertThat(ends.waiting()).isZero();
        assertThat(backend.statements()).isEqualTo(before);
    }

    @Test
    void closingLetsAllGo() throws Exception {
        JobId id = jobs(1).getFirst();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<JobStatus>> waiting = threads.submit(() -> ends.await(id, Duration.ofMinutes(10)));
            while (ends.waiting() == 0) {
                Thread.onSpinWait();
            }
            ends.close();
            assertThat(waiting.get()).isEmpty();
        }
    }
}
