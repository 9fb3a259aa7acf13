package dev.headgate.internal.worker;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.text.Text;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Outcomes on their way to the store. Handlers put them in from any thread without a lock; the claim loop takes them
 * out and keeps each until the store has accepted or refused it.
 */
final class OutcomeQueue {
    private final Queue<EndedLease> arriving = new ConcurrentLinkedQueue<>();
    private final List<EndedLease> unsent = new ArrayList<>();
    private final Consumer<JobRow> onDropped;
    private boolean isOneByOne;

    /** @param onDropped receives each lease whose outcome is not sent, because the lease is not ours */
    OutcomeQueue(Consumer<JobRow> onDropped) {
        this.onDropped = onDropped;
    }

    /** Thread-safe, unlike the other methods. */
    void put(EndedLease ended) {
        arriving.add(ended);
    }

    boolean isEmpty() {
        return unsent.isEmpty() && arriving.isEmpty();
    }

    /** Takes in what has arrived; returns what is not to be sent, because its lease is not ours. */
    List<EndedLease> collect(Predicate<JobRow> isOurs) {
        for (EndedLease ended = arriving.poll(); ended != null; ended = arriving.poll()) {
            unsent.add(ended);
        }
        List<EndedLease> dropped = null;
        for (Iterator<EndedLease> all = unsent.iterator(); all.hasNext(); ) {
            EndedLease ended = all.next();
            if (!isOurs.test(ended.lease())) {
                dropped = dropped == null ? new ArrayList<>() : dropped;
                dropped.add(ended);
                onDropped.accept(ended.lease());
                all.remove();
            }
        }
        return dropped == null ? List.of() : dropped;
    }

    boolean hasUnsent() {
        return !unsent.isEmpty();
    }

    /** What to send now. */
    List<EndedLease> next() {
        if (isOneByOne && unsent.size() > 1) {
            return List.of(unsent.getFirst());
        }
        return List.copyOf(unsent);
    }

    /** The store has accepted or refused these. */
    void settle(List<EndedLease> sent) {
        if (sent.size() == unsent.size()) {
            unsent.clear();
        } else {
            unsent.removeAll(sent);
        }
        isOneByOne &= !unsent.isEmpty();
    }

    /**
     * The store failed on these, and a retry will not help. From here on they go one by one, and one that fails alone
     * is replaced by a plain failure, so that a single outcome cannot hold up all others for ever.
     */
    void suspect(List<EndedLease> sent, RuntimeException why) {
        isOneByOne = true;
        if (sent.size() == 1) {
            EndedLease bad = sent.getFirst();
            String error = "the outcome of this attempt could not be stored: %s"
                    .formatted(Text.storable(String.valueOf(why), 1_000));
            unsent.replaceAll(
                    ended -> ended.equals(bad) ? new EndedLease(ended.lease(), new Outcome.Failed(error)) : ended);
        }
    }
}
