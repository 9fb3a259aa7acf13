package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.LogLine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What handlers say about their jobs. */
class ReportTest {
    private final Plant plant = new Plant();

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void linesAreStoredInOrderBeforeTheOutcome() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            job.log("first");
            job.log("second\0");
        });
        plant.work();
        JobId id = plant.enqueue();
        plant.ended(id);
        assertThat(plant.headgate.log(id)).extracting(LogLine::text).containsExactly("first", "second\uFFFD");
    }

    @Test
    void progressShowsWhileTheJobRuns() throws Exception {
        CountDownLatch isStored = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        plant.backend.afterWrite(thread -> {
            if (thread.contains("reporter")) {
                isStored.countDown();
            }
        });
        plant.headgate.handle(WORK, (order, job) -> {
            job.progress(40, "copying");
            mayEnd.await();
        });
        plant.work();
        JobId id = plant.enqueue();
        Plant.await(isStored);
        assertThat(plant.status(id).report().progress()).isEqualTo(new Progress(40, "copying"));
        mayEnd.countDown();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void manyReportsAreFewWrites() throws Exception {
        AtomicInteger writes = new AtomicInteger();
        plant.backend.afterWrite(thread -> {
            if (thread.contains("reporter")) {
                writes.incrementAndGet();
            }
        });
        plant.headgate.handle(
                WORK,
                (order, job) -> IntStream.range(0, 10_000).forEach(i -> {
                    job.progress(i / 100, "at " + i);
                    job.log("line " + i);
                }));
        plant.work();
        JobId id = plant.enqueue();
        plant.ended(id);
        assertThat(writes).hasValueLessThan(50);
        assertThat(plant.headgate.log(id)).hasSize(JobStore.LOG_LINES_MAX);
        assertThat(plant.headgate.log(id).getLast().text()).isEqualTo("line 9999");
    }

    @Test
    void lastWordsSurviveAShortOutage() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            plant.backend.cutOff("reporter");
            job.log("spoken into the dark");
        });
        plant.backend.afterWrite(thread -> {});
        plant.work();
        JobId id = plant.enqueue();
        plant.backend.onRefused(3, plant.backend::heal);
        plant.ended(id);
        assertThat(plant.headgate.log(id)).extracting(LogLine::text).containsExactly("spoken into the dark");
    }
}
