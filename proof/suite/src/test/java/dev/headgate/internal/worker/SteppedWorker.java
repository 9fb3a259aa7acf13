package dev.headgate.internal.worker;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.Retention;
import dev.headgate.limit.Serve;
import dev.headgate.proof.Jobs;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.PoolBounds;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker without threads: each round of each of its loops, and each handler, runs when the test says so, in virtual time.
 * The store and the process have clocks of their own, because that of a suspended machine stands still.
 */
final class SteppedWorker {
    static final Duration LEASE = Duration.ofSeconds(30);

    final VirtualTime storeTime = new VirtualTime();
    final JobStore store;
    final List<String> calls = new ArrayList<>();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Steps steps = new Steps();
    private final ProcessResources process = new ProcessResources();
    private final Map<String, LongSupplier> rounds = new HashMap<>();
    private final List<LoopRunner.HandlerRun> shifts = new ArrayList<>();
    private final Map<String, Duration> slow = new HashMap<>();
    private final List<String> cut = new ArrayList<>();
    private final MemoryBackend memory = new MemoryBackend(storeTime);
    private String role = "";
    private @Nullable RunningWorker worker;

    SteppedWorker() {
        this.store = new JobStore(memory.reopen());
    }

    /** Starts it with one slot and this handler. */
    SteppedWorker start(Consumer<JobContext> handler) {
        return start(null, handler);
    }

    /** The same with a retention of its own. */
    SteppedWorker start(@Nullable Retention retention, Consumer<JobContext> handler) {
        Handlers handlers = new Handlers();
        handlers.add(new Handler<>(
                JobType.of("work", Object.class),
                (payload, job) -> {
                    handler.accept(job);
                    return null;
                },
                HandlerOptions.DEFAULT));
        JsonCodec codec = new JsonCodec();
        Shared shared = new Shared(
                new JobStore(new Line(memory), nanos::get),
                handlers,
                codec,
                new CompletionSignals(),
                new EventPublisher(),
                nanos::get,
                numbers::incrementAndGet,
                steps);
        worker = RunningWorker.start(
                shared,
                new WorkerSettings(
                        "stepped",
                        new WorkerSettings.Serving(List.of("q"), Serve.OLDEST_FIRST, retention),
                        new WorkerSettings.Timing(LEASE, Duration.ZERO, LEASE),
                        new WorkerSettings.Limits(
                                PoolBounds.fixed(1), null, Headroom.system(), null, WorkerRow.LOST_MAX),
                        Threads.PLATFORM,
                        null));
        return this;
    }

    String id() {
        return Objects.requireNonNull(worker).id();
    }

    JobId enqueue() {
        return JobId.of(store.enqueue(List.of(Jobs.job("q").build())).getFirst().id());
    }

    JobStatus status(JobId id) {
        return Objects.requireNonNull(store.find(id));
    }

    /** The clock of its process. */
    long nanos() {
        return nanos.get();
    }

    /** Nothing happens for so long but heartbeats. */
    void idle(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(LEASE.dividedBy(6))) {
            beat();
        }
    }

    /** Time passes, everywhere. */
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        storeTime.advance(time);
    }

    /** The machine of the worker stands still: its own clock does too. */
    void suspend(Duration time) {
        storeTime.advance(time);
    }

    /** Answers to writes of this loop take so long from now on; {@code ""} is whatever starts the worker. */
    void slow(String loop, Duration answer) {
        slow.put(loop, answer);
    }

    /** This loop cannot reach the store. */
    void cutOff(String loop) {
        cut.add(loop);
    }

    void heal() {
        cut.clear();
        slow.clear();
    }

    /** One round of a loop, such as claims, heartbeats or janitor. */
    void round(String loop) {
        role = loop;
        long unused = Objects.requireNonNull(rounds.get(loop), loop).getAsLong();
        role = "";
    }

    /** Turns until nothing more starts or ends by it. */
    void turn() {
        for (int i = 0; i < 4; i++) {
            round("claims");
        }
    }

    /** Lets a heartbeat become due, and sends it. */
    void beat() {
        pass(LEASE.dividedBy(6));
        round("keeper");
    }

    int running() {
        return shifts.size();
    }

    /** Runs the handlers that were started to their end. */
    void work() {
        List<LoopRunner.HandlerRun> all = List.copyOf(shifts);
        shifts.clear();
        all.forEach(LoopRunner.HandlerRun::work);
    }

    /** Loops that turn when the test says so, and handlers that are entered as soon as they are started. */
    private final class Steps implements LoopRunner {
        @Override
        public Loop loop(String name, String of, LongSupplier round) {
            rounds.put(name, round);
            return new Loop() {
                @Override
                public void start() {}

                @Override
                public void wake() {}

                @Override
                public void finish() {}

                @Override
                public boolean join(Duration atMost) {
                    return true;
                }
            };
        }

        @Override
        public HandlerRunner handlerRunner(Threads threads) {
            return new HandlerRunner() {
                @Override
                public void start(HandlerRun shift) {
                    shift.begin(() -> {});
                    if (shift.enter()) {
                        shifts.add(shift);
                    }
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public ProcessResources process() {
            return process;
        }

        @Override
        public void rest(long time) {
            pass(Duration.ofNanos(time));
        }
    }

    /** What lies between the worker and the store: takes time, is cut, and notes which loop used which connection. */
    private final class Line extends ForwardingBackend {
        private Line(Backend sound) {
            super(sound);
        }

        @Override
        public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
            return call("write", () -> super.write(work));
        }

        @Override
        public <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
            return call("writeApart", () -> super.write(work));
        }

        @Override
        public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
            return call("read", () -> super.read(work));
        }

        @Override
        public <T extends @Nullable Object> T readApart(Function<StoreTransaction, T> work) {
            return call("readApart", () -> super.read(work));
        }

        private <T extends @Nullable Object> T call(String how, Supplier<T> work) {
            calls.add(role + " " + how);
            if (cut.contains(role)) {
                throw new StoreUnavailableException("the line is cut", new IllegalStateException("planted"));
            }
            T answer = work.get();
            Duration late = how.startsWith("write") ? slow.get(role) : null;
            if (late != null) {
                pass(late);
            }
            return answer;
        }
    }
}
