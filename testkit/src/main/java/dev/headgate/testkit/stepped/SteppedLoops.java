package dev.headgate.testkit.stepped;

import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.Loop;
import dev.headgate.internal.worker.LoopRunner;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import dev.headgate.job.JobId;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loops and handlers of all workers of a test, on the test's own thread: a loop turns and a handler runs only inside of
 * {@link #settle}. Between two calls nothing moves.
 */
final class SteppedLoops implements LoopRunner {
    /** Far more than the jobs of a test need at one instant. */
    private static final int STEPS_MAX = 1_000_000;

    private final VirtualTime time;
    private final List<SteppedLoop> loops = new CopyOnWriteArrayList<>();
    private final Queue<HandlerRun> claimed = new ConcurrentLinkedQueue<>();
    private final Map<HandlerRun, AtomicBoolean> stopped = new HashMap<>();
    private final List<JobId> begun = new ArrayList<>();
    private final ProcessResources resources = new ProcessResources();

    /** What rounds have waited in their middle: the process's own clock is ahead of the store's by that. */
    private long waitedNanos;

    private long turns;
    private boolean isSettling;
    private boolean isInHandler;
    private boolean isClosing;

    SteppedLoops(VirtualTime time) {
        this.time = time;
    }

    long nanos() {
        return time.micros() * 1_000 + waitedNanos;
    }

    /** Jobs that were claimed and whose handlers have not run, in the order of their claims. */
    List<JobId> claimed() {
        return claimed.stream().map(shift -> JobId.of(shift.job())).toList();
    }

    /** Jobs whose handlers have run since the last call, in order. */
    List<JobId> takeBegun() {
        List<JobId> all = List.copyOf(begun);
        begun.clear();
        return all;
    }

    /** In how many nanoseconds the next loop is due; absent if there is none. */
    @Nullable
    Long dueInNanos() {
        return loops.stream()
                .filter(SteppedLoop::isTurning)
                .map(loop -> loop.nextNanos - nanos())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Does what is due now until nothing is: rounds of loops, and if {@code isWorking} the handlers of claimed jobs. */
    void settle(boolean isWorking) {
        if (isInHandler || isSettling) {
            throw new IllegalStateException("a handler cannot step the test that runs it");
        }
        isSettling = true;
        try {
            for (int step = 0; step < STEPS_MAX; step++) {
                SteppedLoop due = due();
                if (due != null) {
                    due.turn();
                } else if (!isWorking || !work()) {
                    return;
                }
            }
        } finally {
            isSettling = false;
        }
        throw new AssertionError(
                "at %s: still at work after %d steps; does a job ask to be tried again at once, for ever?"
                        .formatted(time, STEPS_MAX));
    }

    /** From now on the end of a worker hands claimed jobs back instead of running them. */
    void close() {
        isClosing = true;
    }

    private @Nullable SteppedLoop due() {
        return loops.stream()
                .filter(loop -> loop.isTurning() && loop.nextNanos <= nanos())
                .min(Comparator.comparingLong(loop -> loop.turned))
                .orElse(null);
    }

    /** Runs the next handler; all that make one batch together. */
    private boolean work() {
        HandlerRun next = claimed.poll();
        if (next == null) {
            return false;
        }
        if (!next.isBatched()) {
            work(next);
            return true;
        }
        List<Thread> batch = new ArrayList<>();
        for (HandlerRun member = next; member != null; member = pollGathered()) {
            HandlerRun each = member;
            begun.add(JobId.of(each.job()));
            batch.add(Thread.ofVirtual().start(() -> run(each)));
        }
        batch.forEach(SteppedLoops::join);
        return true;
    }

    private @Nullable HandlerRun pollGathered() {
        HandlerRun next = claimed.peek();
        return next != null && next.isBatched() ? claimed.poll() : null;
    }

    private void work(HandlerRun shift) {
        isInHandler = true;
        try {
            if (run(shift)) {
                begun.add(JobId.of(shift.job()));
            }
        } finally {
            isInHandler = false;
        }
    }

    private static boolean run(HandlerRun shift) {
        shift.begin(Thread.currentThread()::interrupt);
        boolean hasEntered = shift.enter();
        if (hasEntered) {
            shift.work();
        }
        return hasEntered;
    }

    private static void join(Thread member) {
        try {
            member.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted while a batch ran", stopped);
        }
    }

    /** Ends a worker: its claimed jobs run to their end, or are handed back if the test is over. */
    private void end(SteppedLoop shutdown) {
        if (isInHandler || isSettling) {
            throw new IllegalStateException("a handler cannot stop the worker that runs it");
        }
        settle(!isClosing);
        while (shutdown.isTurning()) {
            // The drain passes for this process alone, heartbeat by heartbeat, as if its handlers were still at work.
            Long dueNanos = dueInNanos();
            waitedNanos += dueNanos == null ? 0 : Math.max(0, dueNanos);
            settle(!isClosing);
            refuseStopped();
        }
    }

    /** Claimed jobs whose worker stops are handed back. */
    private void refuseStopped() {
        for (HandlerRun shift : List.copyOf(claimed)) {
            AtomicBoolean isStopped = stopped.computeIfAbsent(shift, one -> {
                AtomicBoolean flag = new AtomicBoolean();
                one.begin(() -> flag.set(true));
                return flag;
            });
            if (isStopped.get() && claimed.remove(shift) && shift.enter()) {
                throw new IllegalStateException(
                        "job %d: its handler is entered although its worker stops".formatted(shift.job()));
            }
        }
    }

    @Override
    public Loop loop(String role, String worker, LongSupplier round) {
        SteppedLoop loop = new SteppedLoop(role, round);
        loops.add(loop);
        return loop;
    }

    @Override
    public HandlerRunner handlerRunner(Threads threads) {
        return new HandlerRunner() {
            @Override
            public void start(HandlerRun shift) {
                claimed.add(shift);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public ProcessResources process() {
        return resources;
    }

    /** A handler that waits lets time pass for all; a round that waits, only for its process. */
    @Override
    public void rest(long nanos) {
        if (isInHandler) {
            time.advance(Duration.ofNanos(nanos));
        } else {
            waitedNanos += nanos;
        }
    }

    private final class SteppedLoop implements Loop {
        private final String role;
        private final LongSupplier round;
        private volatile long nextNanos;
        private volatile boolean isStarted;
        private volatile boolean isOver;
        private long turned;

        private SteppedLoop(String role, LongSupplier round) {
            this.role = role;
            this.round = round;
        }

        private boolean isTurning() {
            return isStarted && !isOver;
        }

        private void turn() {
            turned = ++turns;
            nextNanos = Long.MAX_VALUE;
            long pause = round.getAsLong();
            long now = nanos();
            long next = pause > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(0, pause);
            nextNanos = Math.min(nextNanos, next);
        }

        @Override
        public void start() {
            nextNanos = nanos();
            isStarted = true;
            if (role.equals("shutdown")) {
                end(this);
            }
        }

        @Override
        public void wake() {
            nextNanos = Math.min(nextNanos, nanos());
        }

        @Override
        public void finish() {
            isOver = true;
            loops.remove(this);
        }

        @Override
        public boolean join(Duration atMost) {
            return true;
        }
    }
}
