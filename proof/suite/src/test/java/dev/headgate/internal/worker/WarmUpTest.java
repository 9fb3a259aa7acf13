package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobHandler;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker does before its first claim. */
class WarmUpTest {
    private final Plant plant = new Plant();
    private final List<String> steps = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        plant.close();
    }

    /** A handler that is a class. */
    private final class Slow implements JobHandler<Order> {
        @Override
        public void handle(Order order, JobContext job) {
            steps.add("work");
        }

        @Override
        public void warmUp() {
            steps.add("handler");
        }
    }

    /** Whose values must not be made for a warm-up. */
    record Touchy(String name) {
        Touchy {
            throw new IllegalStateException("made without a job: " + name);
        }
    }

    @Test
    void allIsDoneBeforeTheFirstClaimAndBeforeAnyLease() throws Exception {
        plant.headgate.handle(WORK, new Slow());
        plant.headgate.handle(JobType.of("touchy", Touchy.class), (payload, job) -> steps.add("never"));
        JobId id = plant.enqueue();
        Worker worker = plant.headgate
                .worker("default")
                .warmUp(() -> steps.add(
                        "first, " + plant.headgate.overview().workers().size() + " registered"))
                .warmUp(() -> steps.add("second"))
                .start();
        JobStatus ended = plant.ended(id);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().epoch()).as("the look ahead leased nothing").isEqualTo(1);
        assertThat(steps).containsExactly("handler", "first, 0 registered", "second", "work");
        Plant.awaitIdle(worker);
    }

    @Test
    void oneThatFailsKeepsNobodyFromWorking() throws Exception {
        plant.headgate.handle(WORK, new JobHandler<>() {
            @Override
            public void handle(Order order, JobContext job) {
                steps.add("work");
            }

            @Override
            public void warmUp() throws Exception {
                throw new IOException("no such host");
            }
        });
        JobId id = plant.enqueue();
        plant.headgate
                .worker("default")
                .warmUp(() -> {
                    throw new IllegalStateException("broken");
                })
                .warmUp(() -> steps.add("next"))
                .start();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(steps).containsExactly("next", "work");
    }
}
