package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.event.Event;
import dev.headgate.handler.Around;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code around handlers, and event listeners. */
class AroundTest {
    private final Plant plant = new Plant();
    private final List<String> steps = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        plant.close();
    }

    private Around noting(String name) {
        return (job, next) -> {
            steps.add(name + " before " + job.type());
            try {
                return next.run();
            } finally {
                steps.add(name + " after");
            }
        };
    }

    @Test
    void theFirstRegisteredStandsOutside() throws Exception {
        plant.headgate.around(noting("outer")).around(noting("inner"));
        plant.headgate.handleWithResult(WORK, (order, job) -> {
            steps.add("work");
            return order.number();
        });
        JobId id = plant.enqueue();
        Plant.awaitIdle(plant.work());
        assertThat(plant.headgate.result(id, Integer.class)).contains(1);
        assertThat(steps)
                .containsExactly("outer before work", "inner before work", "work", "inner after", "outer after");
    }

    @Test
    void whatItThrowsIsWhatTheHandlerThrew() throws Exception {
        plant.headgate.around((job, next) -> {
            throw new PermanentFailure("not today");
        });
        plant.headgate.handle(WORK, (order, job) -> steps.add("work"));
        JobId id = plant.enqueue();
        plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.FAILED);
        assertThat(plant.status(id).report().detail()).contains("not today");
        assertThat(steps).isEmpty();
    }

    @Test
    void timingTellsOfFailuresToo() throws Exception {
        CountDownLatch isTold = new CountDownLatch(1);
        plant.headgate.around(Around.timing((job, time) -> {
            assertThat(time).isPositive();
            isTold.countDown();
        }));
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new IllegalStateException("broken");
                },
                HandlerOptions.DEFAULT.attempts(1));
        JobId id = plant.enqueue();
        plant.work();
        Plant.await(isTold);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void listenersHearWhatTheStoreHasTakenInOrder() throws Exception {
        LinkedBlockingQueue<Event> heard = new LinkedBlockingQueue<>();
        plant.headgate.listen(event -> {
            throw new IllegalStateException("this one harms nobody");
        });
        plant.headgate.listen(heard::add);
        plant.headgate.handle(WORK, (order, job) -> {
            if (order.number() == 1) {
                throw new PermanentFailure("bad");
            }
        });
        JobId good = plant.headgate.enqueue(WORK, new Order(0)).id();
        Worker worker = plant.work();
        assertThat(plant.ended(good).state()).isEqualTo(JobState.SUCCEEDED);
        JobId bad = plant.enqueue();
        assertThat(plant.ended(bad).state()).isEqualTo(JobState.FAILED);
        worker.stop();
        plant.headgate.close();
        List<String> told = new ArrayList<>();
        for (Event event = heard.poll(); event != null; event = heard.poll()) {
            told.add(text(event));
        }
        assertThat(told)
                .containsExactly(
                        "worker started",
                        "started " + good,
                        good + " succeeded",
                        "started " + bad,
                        bad + " failed",
                        "worker stopped");
    }

    private static String text(Event event) {
        return switch (event) {
            case Event.JobStarted(var worker, var attempt) -> "started " + attempt.job();
            case Event.JobEnded(var worker, var attempt, Outcome.Succeeded done) -> attempt.job() + " succeeded";
            case Event.JobEnded(var worker, var attempt, Outcome.Failed failed) -> attempt.job() + " failed";
            case Event.JobEnded other -> other.toString();
            case Event.JobLate late -> late.toString();
            case Event.WorkerStarted started -> "worker started";
            case Event.WorkerLost lost -> "worker lost";
            case Event.WorkerPaced paced -> paced.toString();
            case Event.PoolResized resized -> "pool resized";
            case Event.WorkerStopped stopped -> "worker stopped";
        };
    }

    @Test
    void aListenerThatHangsDelaysNoJob() throws Exception {
        CountDownLatch isLetGo = new CountDownLatch(1);
        plant.headgate.listen(event -> {
            try {
                isLetGo.await(Plant.SOON.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.headgate.enqueueAll(
                WORK, IntStream.range(0, 6_000).mapToObj(Order::new).toList());
        Plant.awaitIdle(plant.headgate.worker("default").slots(100).start());
        isLetGo.countDown();
        assertThat(plant.headgate.overview().jobs())
                .allMatch(count -> count.state() == JobState.SUCCEEDED || count.jobs() == 0);
    }
}
