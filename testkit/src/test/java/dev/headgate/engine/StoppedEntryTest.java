package dev.headgate.engine;

import static dev.headgate.engine.Plant.SOON;
import static dev.headgate.engine.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.admission.Serve;
import dev.headgate.codec.JsonCodec;
import dev.headgate.engine.WorkerSettings.Threads;
import dev.headgate.event.Event;
import dev.headgate.handler.Handler;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.Handlers;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.pool.PoolBounds;
import dev.headgate.room.House;
import dev.headgate.testkit.Jobs;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import dev.headgate.time.Chance;
import dev.headgate.time.Ticker;
import dev.headgate.transition.JobStore;
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

    private final BlockingQueue<Stage.Shift> shifts = new LinkedBlockingQueue<>();
    private final List<Long> entered = new CopyOnWriteArrayList<>();
    private final CountDownLatch isLost = new CountDownLatch(1);
    private final VirtualTime time = new VirtualTime();
    private final MemoryBackend memory = new MemoryBackend(time);

    /** Real loops, and handlers that begin when the test lets them. */
    private final class HeldHandlers implements Stage {
        @Override
        public Loop loop(String role, String worker, LongSupplier round) {
            return THREADS.loop(role, worker, round);
        }

        @Override
        public Crew crew(Threads threads) {
            return new Crew() {
                @Override
                public void start(Shift shift) {
                    shifts.add(shift);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public House house() {
            return new House();
        }

        @Override
        public void rest(long nanos) {
            THREADS.rest(nanos);
        }
    }

    private RunningWorker work(Announcer announcer) {
        Handlers handlers = new Handlers();
        handlers.add(new Handler<>(WORK, (order, job) -> entered.add(job.epoch()), HandlerOptions.DEFAULT));
        return RunningWorker.start(
                new RunningWorker.Shared(
                        new JobStore(memory),
                        handlers,
                        new JsonCodec(),
                        new Completions(),
                        announcer,
                        Ticker.SYSTEM,
                        Chance.SYSTEM,
                        new HeldHandlers()),
                new WorkerSettings(
                        "w",
                        List.of("default"),
                        1,
                        Threads.VIRTUAL,
                        LEASE,
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        null,
                        null,
                        Serve.OLDEST_FIRST,
                        null,
                        null,
                        PoolBounds.fixed(1),
                        3,
                        null));
    }

    private Stage.Shift nextShift() throws InterruptedException {
        return Objects.requireNonNull(shifts.poll(SOON.toSeconds(), TimeUnit.SECONDS), "nothing was started");
    }

    @Test
    void aHandlerThatIsReachedAfterItsLeaseWasLostIsNotEntered() throws InterruptedException {
        try (Announcer announcer = new Announcer()) {
            announcer.add(event -> {
                if (event instanceof Event.WorkerLost) {
                    isLost.countDown();
                }
            });
            RunningWorker worker = work(announcer);
            JobStore other = new JobStore(memory.reopen());
            long job = other.enqueue(List.of(Jobs.job("default")
                            .type(WORK.name())
                            .payload("{\"number\":1}")
                            .build()))
                    .getFirst()
                    .id();
            Stage.Shift first = nextShift();

            time.advance(LEASE);
            assertThat(other.reap()).isEqualTo(1);
            Plant.await(isLost);
            first.begin(() -> {});
            assertThat(first.enter())
                    .as("its lease was lost before it was reached")
                    .isFalse();

            boolean isEntered = false;
            while (!isEntered) {
                Stage.Shift again = nextShift();
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
