package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.SOON;
import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.event.Event;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.Serve;
import dev.headgate.proof.Jobs;
import dev.headgate.resource.PoolBounds;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A handler whose run was told to stop before a thread reached it is not entered. */
class StoppedEntryTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final BlockingQueue<LoopRunner.HandlerRun> shifts = new LinkedBlockingQueue<>();
    private final List<Long> entered = new CopyOnWriteArrayList<>();
    private final CountDownLatch isLost = new CountDownLatch(1);
    private final VirtualTime time = new VirtualTime();
    private final MemoryBackend memory = new MemoryBackend(time);

    /** Real loops, and handlers that begin when the test lets them. */
    private final class HeldHandlers implements LoopRunner {
        @Override
        public Loop loop(String role, String worker, LongSupplier round) {
            return THREADS.loop(role, worker, round);
        }

        @Override
        public HandlerRunner handlerRunner(Threads threads) {
            return new HandlerRunner() {
                @Override
                public void start(HandlerRun shift) {
                    shifts.add(shift);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public ProcessResources process() {
            return new ProcessResources();
        }

        @Override
        public void rest(long nanos) {
            THREADS.rest(nanos);
        }
    }

    private RunningWorker work(EventPublisher events) {
        Handlers handlers = new Handlers();
        handlers.add(new Handler<>(WORK, (order, job) -> entered.add(job.epoch()), HandlerOptions.DEFAULT));
        return RunningWorker.start(
                new RunningWorker.Shared(
                        new JobStore(memory),
                        handlers,
                        new JsonCodec(),
                        new CompletionSignals(),
                        events,
                        Ticker.SYSTEM,
                        Chance.SYSTEM,
                        new HeldHandlers()),
                new WorkerSettings(
                        "w",
                        new WorkerSettings.Serving(List.of("default"), Serve.OLDEST_FIRST, null),
                        new WorkerSettings.Timing(LEASE, Duration.ZERO, Duration.ofSeconds(1)),
                        new WorkerSettings.Limits(PoolBounds.fixed(1), null, null, null, 3),
                        Threads.VIRTUAL,
                        null));
    }

    private LoopRunner.HandlerRun nextShift() throws InterruptedException {
        return Objects.requireNonNull(shifts.poll(SOON.toSeconds(), TimeUnit.SECONDS), "nothing was started");
    }

    @Test
    void aHandlerThatIsReachedAfterItsLeaseWasLostIsNotEntered() throws InterruptedException {
        try (EventPublisher events = new EventPublisher()) {
            events.add(event -> {
                if (event instanceof Event.WorkerLost) {
                    isLost.countDown();
                }
            });
            RunningWorker worker = work(events);
            JobStore other = new JobStore(memory.reopen());
            long job = other.enqueue(List.of(Jobs.job("default")
                            .type(WORK.name())
                            .payload("{\"number\":1}")
                            .build()))
                    .getFirst()
                    .id();
            LoopRunner.HandlerRun first = nextShift();

            time.advance(LEASE);
            assertThat(other.reap()).isEqualTo(1);
            Plant.await(isLost);
            first.begin(() -> {});
            assertThat(first.enter())
                    .as("its lease was lost before it was reached")
                    .isFalse();

            boolean isEntered = false;
            while (!isEntered) {
                LoopRunner.HandlerRun again = nextShift();
                again.begin(() -> {});
                isEntered = again.enter();
                if (isEntered) {
                    again.work();
                }
            }
            worker.stop(false);
            assertThat(entered).doesNotContain(1L).hasSize(1);
            assertThat(Objects.requireNonNull(other.find(JobId.of(job))).state())
                    .isEqualTo(JobState.SUCCEEDED);
        }
    }
}
