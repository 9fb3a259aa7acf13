package dev.headgate.server.live;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.server.live.FeedEvent.Kind;
import dev.headgate.spi.Backend;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.HistoryTable.EndedJob;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What changes in the store, for any number of viewers at the price of one. Once a second the store is asked for the jobs that have
 * ended since, each of which is an event, and sampled for the rest. The newest events are kept; a viewer that is further behind must come again.
 */
public final class EventFeed implements AutoCloseable {
    /** More viewers than these are refused. */
    public static final int VIEWERS_MAX = 1_000;

    private static final Duration LOOKED_EACH = Duration.ofSeconds(1);
    private static final int KEPT_MAX = 20_000;
    private static final int PAGE = 1_000;
    private static final int PAGES_MAX = 10;

    /**
     * An end is told once its transaction has had this long to commit after it read the time: those that commit meanwhile may stand before
     * it. Where one writer at a time writes, they cannot.
     */
    private static final long HOLD_BACK_MICROS = 2_000_000;

    private static final long HOLD_BACK_NEAR_MICROS = 50_000;

    private final Headgate headgate;
    private final int keptMax;
    private final Backend backend;
    private final SharedLook shared = new SharedLook(LOOKED_EACH, this::look);
    private final AtomicInteger viewers = new AtomicInteger();
    private final Map<Long, Integer> jobs = new ConcurrentHashMap<>();
    private final Map<Long, Integer> runs = new ConcurrentHashMap<>();
    private final Deque<FeedEvent> kept = new ArrayDeque<>();
    private volatile boolean isStale = true;
    private EndPosition position = new EndPosition(0, 0);
    private StoreSample sample = StoreSample.EMPTY;
    private long last;

    public EventFeed(Headgate headgate) {
        this(headgate, KEPT_MAX);
    }

    /** @param keptMax a viewer that is further behind must come again */
    EventFeed(Headgate headgate, int keptMax) {
        this.headgate = headgate;
        this.keptMax = keptMax;
        this.backend = OpenStore.of(headgate);
    }

    public int viewers() {
        return viewers.get();
    }

    public boolean isClosed() {
        return shared.isClosed();
    }

    /** One viewer; must be closed. */
    public final class View implements AutoCloseable {
        private final FeedFilter filter;
        private EndPosition from = new EndPosition(0, 0);
        private long seen;

        private View(FeedFilter filter) {
            this.filter = filter;
            if (viewers.getAndIncrement() == 0) {
                isStale = true; // while there was no viewer, nothing was read
            }
            count(jobs, filter.job(), 1);
            count(runs, filter.run(), 1);
        }

        private void begin() throws InterruptedException {
            shared.await(() -> !isStale, Duration.ofMinutes(1));
            synchronized (kept) {
                this.seen = last;
                this.from = position;
            }
        }

        /** How far the ends of jobs had been told when it came. */
        public EndPosition from() {
            return from;
        }

        /**
         * The ends of jobs that it has missed since this position, as far as it wants them.
         *
         * @return absent if there are too many of them
         */
        public @Nullable List<FeedEvent> missed(EndPosition since) {
            List<FeedEvent> missed = new ArrayList<>();
            EndPosition at = since;
            for (int pages = 0; pages < PAGES_MAX; pages++) {
                List<EndedJob> page = ended(at, from.at(), PAGE);
                page.stream()
                        .filter(job -> !from.isBefore(
                                job.position().at(), job.position().id())) // told from here on
                        .map(job -> event(0, job))
                        .filter(filter::passes)
                        .forEach(missed::add);
                if (page.size() < PAGE) {
                    return missed;
                }
                at = page.getLast().position();
            }
            return null;
        }

        /**
         * What has happened since the last call, as far as it wants that; waits for it this long at most.
         *
         * @return absent if it is too far behind
         */
        public @Nullable List<FeedEvent> next(Duration most) throws InterruptedException {
            shared.await(this::hasNews, most);
            synchronized (kept) {
                if (seen < last && (kept.isEmpty() || kept.getFirst().number() > seen + 1)) {
                    return null;
                }
                List<FeedEvent> news = new ArrayList<>();
                var newestFirst = kept.descendingIterator();
                while (newestFirst.hasNext()) {
                    FeedEvent event = newestFirst.next();
                    if (event.number() <= seen) {
                        break;
                    }
                    news.add(event);
                }
                seen = last;
                return news.reversed().stream().filter(filter::passes).toList();
            }
        }

        private boolean hasNews() {
            synchronized (kept) {
                return last > seen;
            }
        }

        @Override
        public void close() {
            count(jobs, filter.job(), -1);
            count(runs, filter.run(), -1);
            viewers.decrementAndGet();
        }
    }

    /** Begins to view. Events from now on are told; {@link View#missed} tells earlier ends. */
    public View view(FeedFilter filter) throws InterruptedException {
        View view = new View(filter);
        boolean isBegun = false;
        try {
            view.begin();
            isBegun = true;
            return view;
        } finally {
            if (!isBegun) {
                view.close();
            }
        }
    }

    private static void count(Map<Long, Integer> counts, @Nullable Long id, int by) {
        if (id != null) {
            counts.compute(id, (key, known) -> {
                int count = (known == null ? 0 : known) + by;
                return count == 0 ? null : count;
            });
        }
    }

    private static FeedEvent event(long number, EndedJob job) {
        StoreSample.Entry entry = StoreSample.job(job.position().id(), job.queue(), job.type(), job.state());
        return new FeedEvent(number, Kind.JOB, job.position(), entry.id(), entry.queue(), entry.type(), entry.json());
    }

    private List<EndedJob> ended(EndPosition after, long until, int most) {
        return backend.read(tx -> tx.history().endedAfter(after, until, most));
    }

    /** Run by one thread at a time. */
    private void look() {
        long until = backend.read(tx -> tx.now() - (tx.isTimeFar() ? HOLD_BACK_MICROS : HOLD_BACK_NEAR_MICROS));
        boolean isFirst = isStale;
        List<EndedJob> ends = new ArrayList<>();
        EndPosition reached = isFirst ? new EndPosition(until, Long.MAX_VALUE) : position;
        if (!isFirst) {
            List<EndedJob> page;
            do {
                page = ended(reached, until, PAGE);
                ends.addAll(page);
                reached = page.isEmpty() ? reached : page.getLast().position();
            } while (page.size() == PAGE && ends.size() < PAGE * PAGES_MAX);
        }
        StoreSample now = StoreSample.take(headgate, backend, jobs.keySet(), runs.keySet());
        Map<StoreSample.Key, StoreSample.Entry> changed = isFirst ? Map.of() : now.since(sample);
        sample = now;
        keep(ends, changed, reached);
        isStale = false;
    }

    private void keep(Collection<EndedJob> ends, Map<StoreSample.Key, StoreSample.Entry> changed, EndPosition reached) {
        synchronized (kept) {
            position = reached;
            ends.forEach(job -> kept.add(event(++last, job)));
            changed.forEach((key, entry) -> kept.add(
                    new FeedEvent(++last, key.kind(), reached, entry.id(), entry.queue(), entry.type(), entry.json())));
            while (kept.size() > keptMax) {
                kept.removeFirst();
            }
        }
    }

    @Override
    public void close() {
        shared.close();
    }
}
