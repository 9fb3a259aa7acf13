package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** What it costs to delete history and to bring failed jobs back, for each row, as there are more of them. */
final class Housekeeping {
    /** Small sizes are measured as often as it takes to get at least so many rows. */
    private static final int ROWS_MIN = 20_000;

    private Housekeeping() {}

    static void prune(Stores stores, String kind, Curves picture) {
        draw(stores, kind, picture, rows -> fill -> fill.ended(rows), store -> store.prune(Duration.ofDays(1)));
    }

    static void redrive(Stores stores, String kind, Curves picture) {
        draw(stores, kind, picture, rows -> fill -> fill.failed(rows), Housekeeping::redriveAll);
    }

    /** As the command does it: page by page, from the newest to the oldest. */
    private static int redriveAll(JobStore store) {
        int done = 0;
        JobFilter rest = JobFilter.all().state(JobState.FAILED).limit(JobFilter.LIMIT_MAX);
        JobPage page;
        do {
            page = store.page(rest);
            if (!page.jobs().isEmpty()) {
                done += store.redrive(rest.limit(page.jobs().size()));
            }
            rest = page.next() == null ? rest : rest.after(page.next());
        } while (page.next() != null);
        return done;
    }

    private interface Filling {
        Consumer<Fill> of(long rows);
    }

    private static void draw(
            Stores stores, String kind, Curves picture, Filling filling, ToIntFunction<JobStore> work) {
        measure(stores, kind, ROWS_MIN, filling, work); // warms this process up
        for (long rows : Scale.powers(1_000, Math.min(1_000_000, Scale.MOST))) {
            long times = Math.max(1, ROWS_MIN / rows);
            double nanos = 0;
            for (int i = 0; i < times; i++) {
                nanos += measure(stores, kind, rows, filling, work);
            }
            picture.add(kind, rows, nanos / 1_000 / (times * rows));
        }
    }

    /** Nanoseconds of the work on a new store that holds so many rows and nothing else. */
    private static double measure(
            Stores stores, String kind, long rows, Filling filling, ToIntFunction<JobStore> work) {
        String url = stores.freshUrl(kind);
        try (JobStore store = new JobStore(Stores.open(url))) {
            try (Fill fill = new Fill(url)) {
                filling.of(rows).accept(fill);
                fill.settled();
            }
            long begin = System.nanoTime();
            int done = work.applyAsInt(store);
            long nanos = System.nanoTime() - begin;
            if (done != rows) {
                throw new IllegalStateException("expected %d rows, got %d".formatted(rows, done));
            }
            return nanos;
        } finally {
            stores.discard(url);
        }
    }
}
