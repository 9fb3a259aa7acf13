package dev.headgate.benchmarks.provider;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Runs one cell on a fresh store. Warm: all processes first run jobs at another limit; then jobs come one by one, at half of the allowed rate, and
 * their latency is taken; then the flood. Cold: the flood waits before the first process starts.
 */
final class Trial {
    private static final int WARM_UP_JOBS = Integer.getInteger("warm", 2_000);
    private static final int PATIENCE_SECONDS = 120;
    private static final int BUSY_LOOPS = 2;

    private final WallClock clock = new WallClock();
    private final ProviderProcess provider;
    private final int seconds;
    private final int takesMillis;
    private final int slots;

    Trial(ProviderProcess provider, int seconds, int takesMillis, int slots) {
        this.provider = provider;
        this.seconds = seconds;
        this.takesMillis = takesMillis;
        this.slots = slots;
    }

    Measured run(Cell cell, String url) throws Exception {
        List<Child> processes = new ArrayList<>();
        List<Process> loops = new ArrayList<>();
        provider.begin(cell.allowance(), takesMillis);
        try (Caller client = cell.approach().open(url, cell, slots)) {
            if (cell.isCold()) {
                client.enqueue(flood(cell.allowance()));
                startLoops(cell, loops);
                start(cell, url, processes);
            } else {
                start(cell, url, processes);
                client.enqueue(Collections.nCopies(WARM_UP_JOBS, Caller.WARM));
                await(provider::warmCalls, WARM_UP_JOBS, "calls to warm up");
                startLoops(cell, loops);
                steady(cell.allowance(), client);
                client.enqueue(flood(cell.allowance()));
            }
            int before = cell.isCold() ? 0 : provider.calls();
            await(provider::calls, before + 1, "calls of the flood");
            TimeUnit.SECONDS.sleep(seconds);
            return Measured.of(provider.end(), cell.allowance(), seconds, client.lateStarts());
        } finally {
            loops.forEach(Process::destroyForcibly);
            processes.forEach(Child::close);
        }
    }

    /** Enough that it never runs dry, however many calls are refused and wait to be made again. */
    private List<Long> flood(Allowance allowance) {
        int jobs = (int) (2 * allowance.perSecond() * seconds) + 4 * allowance.count();
        return Collections.nCopies(jobs, 0L);
    }

    /** Half of the allowed rate for half of the time, and then long enough nothing that all is allowed again. */
    private void steady(Allowance allowance, Caller client) throws Exception {
        long between = (long) (2e9 / allowance.perSecond());
        long begin = System.nanoTime();
        int jobs = (int) (allowance.perSecond() * seconds / 4);
        for (int i = 0; i < jobs; i++) {
            long wait = begin + i * between - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
            client.enqueue(List.of(clock.micros()));
        }
        // A refused call comes again, so there may be more calls than jobs.
        await(provider::calls, jobs, "calls one by one");
        int calls;
        do {
            calls = provider.calls();
            TimeUnit.MILLISECONDS.sleep(Math.max(2_000, allowance.per().toMillis() + 500));
        } while (provider.calls() > calls);
    }

    private void start(Cell cell, String url, List<Child> processes) {
        for (int i = 0; i < cell.processes(); i++) {
            processes.add(CallerProcess.start(cell, url, provider.port(), slots));
        }
        for (Child process : processes) {
            String ready = process.read();
            if (!ready.equals("ready")) {
                throw new IllegalStateException("worker process: expected 'ready', got " + ready);
            }
        }
    }

    private static void startLoops(Cell cell, List<Process> loops) throws IOException {
        for (int i = 0; cell.isBusy() && i < BUSY_LOOPS; i++) {
            // It ends by itself when this process is gone.
            String loop = "while kill -0 %d 2>/dev/null; do i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; done"
                    .formatted(ProcessHandle.current().pid());
            loops.add(new ProcessBuilder("sh", "-c", loop).start());
        }
    }

    private static void await(IntSupplier figure, int wanted, String what) throws InterruptedException {
        long begin = System.nanoTime();
        while (figure.getAsInt() < wanted) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException(
                        "expected %d %s in %d s, got %d".formatted(wanted, what, PATIENCE_SECONDS, figure.getAsInt()));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
