package dev.headgate.internal.worker;

import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.job.Outcome;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what handlers report about their jobs, off their threads: at once after a quiet time, else five times a second
 * with the newest progress only. A job that has ended with unsaved reports passes through here, so its last reports
 * come before its outcome; if the store is away, the outcome does not wait for ever.
 */
final class ReportLoop {
    private static final Logger log = LoggerFactory.getLogger(ReportLoop.class);
    private static final long PACE_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LAST_WORDS_NANOS = Duration.ofSeconds(5).toNanos();

    private final Loop loop;
    private final Shared shared;
    private final BiConsumer<RunningJob, Outcome> deliver;
    private final StoreBackoff backoff;
    private final Queue<RunningJob> talking = new ConcurrentLinkedQueue<>();
    private final Queue<Leaving> leaving = new ConcurrentLinkedQueue<>();
    private final Set<RunningJob> unsaid = new LinkedHashSet<>();
    private final List<Leaving> waiting = new ArrayList<>();
    private long flushedNanos;

    /** A run that has ended and whose outcome waits for its last reports. */
    private record Leaving(RunningJob run, Outcome outcome, long sinceNanos) {}

    ReportLoop(Shared shared, WorkerSettings settings, BiConsumer<RunningJob, Outcome> deliver) {
        this.loop = shared.runner().loop("reporter", settings.name(), this::round);
        this.shared = shared;
        this.deliver = deliver;
        this.backoff = new StoreBackoff(log, shared.ticker(), shared.chance(), Duration.ofSeconds(1));
        this.flushedNanos = shared.ticker().nanos() - PACE_NANOS;
    }

    void talks(RunningJob run) {
        talking.add(run);
        loop.wake();
    }

    void leaves(RunningJob run, Outcome outcome) {
        leaving.add(new Leaving(run, outcome, shared.ticker().nanos()));
        loop.wake();
    }

    private long round() {
        for (Leaving next = leaving.poll(); next != null; next = leaving.poll()) {
            waiting.add(next);
        }
        for (RunningJob next = talking.poll(); next != null; next = talking.poll()) {
            unsaid.add(next);
        }
        try {
            sendLastWords();
            long sinceFlush = shared.ticker().nanos() - flushedNanos;
            if (!unsaid.isEmpty() && sinceFlush < PACE_NANOS) {
                return PACE_NANOS - sinceFlush;
            }
            flush();
            backoff.succeed("reports");
        } catch (StoreUnavailableException away) {
            long pause = backoff.fail("reports", away);
            letGo();
            return pause;
        }
        return Duration.ofHours(1).toNanos();
    }

    private void sendLastWords() {
        while (!waiting.isEmpty()) {
            Leaving first = waiting.getFirst();
            unsaid.remove(first.run());
            send(first.run());
            waiting.removeFirst();
            deliver.accept(first.run(), first.outcome());
        }
    }

    private void flush() {
        while (!unsaid.isEmpty()) {
            RunningJob first = unsaid.iterator().next();
            send(first);
            unsaid.remove(first);
        }
        flushedNanos = shared.ticker().nanos();
    }

    private void send(RunningJob run) {
        UnsavedReports notes = run.notes();
        if (notes == null || !notes.isWaiting()) {
            return;
        }
        UnsavedReports.Batch batch = notes.take();
        try {
            if (!shared.store().report(run.worker(), run.lease(), batch.progress(), batch.lines())) {
                run.stop(StopReason.LOST);
            }
        } catch (StoreUnavailableException away) {
            notes.putBack(batch);
            throw away;
        } catch (RuntimeException refused) {
            log.warn("{}: what it reported could not be stored and is dropped", run, refused);
        }
    }

    /** Outcomes that have waited long enough go without their last reports. */
    private void letGo() {
        long now = shared.ticker().nanos();
        for (Leaving each : List.copyOf(waiting)) {
            if (now - each.sinceNanos() > LAST_WORDS_NANOS) {
                log.warn("{}: its last log lines are dropped, so that its outcome need not wait for them", each.run());
                waiting.remove(each);
                deliver.accept(each.run(), each.outcome());
            }
        }
    }

    Loop loop() {
        return loop;
    }
}
