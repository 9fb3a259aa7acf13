package dev.headgate.proof.race;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Ticker;
import dev.headgate.job.Outcome;
import dev.headgate.limit.Margin;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker without a poll: it turns around as long as there is something to do, and else sleeps until it is woken. */
final class Racer implements Runnable {
    private static final int SLOTS = 3;
    private static final long NANOS_PER_MICRO = 1_000;

    /** As a real worker, which may come a little too early. */
    private static final Duration LEAD = Duration.ofMillis(2);

    private final JobStore store;
    private final String id;
    private final Random random;
    private final Probe probe;
    private final CountDownLatch left;
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean isStopped;

    Racer(JobStore store, String id, long seed, Probe probe, CountDownLatch left) {
        this.store = store;
        this.id = id;
        this.random = new Random(seed);
        this.probe = probe;
        this.left = left;
    }

    void wake() {
        woken.release();
    }

    void stop() {
        isStopped = true;
        wake();
    }

    @Override
    public void run() {
        WorkerRow row = new WorkerRow(id, id, List.of(Race.QUEUE), SLOTS, 0, 0, List.of());
        store.register(row, Duration.ofMinutes(10), List.of());
        List<EndedLease> ended = List.of();
        while (!isStopped || !ended.isEmpty()) {
            woken.drainPermits();
            Turn turn = store.turnaround(new TurnRequest(id, List.of(Race.QUEUE), SLOTS, ended, LEAD));
            List<EndedLease> again = ended.stream()
                    .filter(each -> turn.busy().contains(each.lease().id()))
                    .toList();
            ended.stream()
                    .filter(each -> each.outcome() instanceof Outcome.Succeeded && !again.contains(each))
                    .forEach(each -> left.countDown());
            boolean isIdle = turn.started().isEmpty() && again.isEmpty();
            ended = runAll(turn);
            ended.addAll(0, again);
            if (isIdle && !isStopped) {
                sleep(turn.nextWake());
            }
        }
        store.deregister(id);
    }

    private List<EndedLease> runAll(Turn turn) {
        List<JobRow> started = turn.started();
        started.forEach(job -> probe.enter(job.spec().lane().gates()));
        List<EndedLease> ended = new ArrayList<>();
        for (JobRow job : started) {
            long now = Ticker.SYSTEM.nanos();
            long lag = now - turn.grantedNanos();
            if (job.lease().margin() > 0
                    && lag > Margin.startAllowance(job.lease().margin()) * NANOS_PER_MICRO) {
                ended.add(new EndedLease(job, new Outcome.Late(Duration.ofNanos(lag))));
            } else {
                probe.start(job.spec().lane().gates(), now);
                ended.add(new EndedLease(job, outcome()));
            }
            probe.leave(job.spec().lane().gates());
        }
        return ended;
    }

    private Outcome outcome() {
        return switch (random.nextInt(12)) {
            case 0 -> new Outcome.RetryAfter(Duration.ZERO, "again");
            case 1 -> new Outcome.RetryAfter(Duration.ofMillis(2), "a little later");
            case 2 -> new Outcome.HandedBack();
            default -> new Outcome.Succeeded(null);
        };
    }

    private void sleep(@Nullable Duration nextWake) {
        try {
            if (nextWake == null) {
                woken.acquire();
            } else {
                // The result does not matter: either a wake-up came, or it is time.
                boolean ignored = woken.tryAcquire(nextWake.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
