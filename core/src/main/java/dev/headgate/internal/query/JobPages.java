package dev.headgate.internal.query;

import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobSearch.Between;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobMatch;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists jobs, live and ended together, in looks that are short however many there are. What an index finds is found at
 * once; for the rest a bounded number of jobs is read, and the next page goes on from there.
 */
public final class JobPages {
    /** Jobs that one look passes at most, of the live ones and of those that have ended. */
    static final int LOOK_MAX = 50_000;

    /** Jobs that one look reads at most, of either, if it must see more of them than what lists of ids know. */
    static final int READ_MAX = 5_000;

    private static final int READ_AT_ONCE = 500;
    private static final int CHARACTERS_MAX = 16_000_000;

    private final StoreTransaction tx;
    private final JobFilter filter;
    private long floor = Long.MIN_VALUE;
    private long looked;

    private JobPages(StoreTransaction tx, JobFilter filter) {
        this.tx = tx;
        this.filter = filter;
    }

    public static JobPage page(StoreTransaction tx, JobFilter filter) {
        JobCursor after = filter.after();
        if (after != null && after.isOfLine() != filter.isOfLine()) {
            throw new IllegalArgumentException("cursor: expected one of a list %s, got '%s', which is of a list %s"
                    .formatted(order(filter.isOfLine()), after, order(after.isOfLine())));
        }
        return filter.isOfLine() ? LinePage.page(tx, filter) : new JobPages(tx, filter).page();
    }

    private static String order(boolean isOfLine) {
        return isOfLine ? "of jobs that wait at a gate" : "that has the newest jobs first";
    }

    /** All that match up to the filter's limit, in as many looks as that takes. */
    public static List<JobStatus> all(JobFilter filter, Function<JobFilter, JobPage> look) {
        List<JobStatus> found = new ArrayList<>();
        JobFilter rest = filter;
        JobPage page;
        do {
            page = look.apply(rest.limit(filter.limit() - found.size()));
            found.addAll(page.jobs());
            rest = page.next() == null ? rest : rest.after(page.next());
        } while (page.next() != null && found.size() < filter.limit());
        return List.copyOf(found);
    }

    /** Those of them that have ended, as many as the filter wants and however far one must look for them. */
    public static List<Long> ended(StoreTransaction tx, JobFilter filter) {
        if (filter.isOfLiveOnly()) {
            return List.of();
        }
        return Sought.isKnownToLists(filter.search())
                ? tx.history().ids().list(filter)
                : all(filter, part -> page(tx, part)).stream()
                        .filter(job -> job.state().isTerminal())
                        .map(job -> job.id().value())
                        .toList();
    }

    private JobPage page() {
        JobState state = filter.state();
        boolean isLiveWanted = filter.search().times().ended().equals(Between.ANY);
        List<Long> live = isLiveWanted && (state == null || !state.isTerminal()) ? live() : List.of();
        boolean isEndedWanted = !filter.isOfLiveOnly() && (state == null || state.isTerminal());
        List<Long> ended = isEndedWanted ? look(tx.history().ids(), this::ended) : List.of();
        List<JobStatus> found = new ArrayList<>(JobStatuses.live(tx, tx.jobs().findAll(inSight(live))));
        tx.history().findAll(inSight(ended)).forEach(row -> found.add(JobStatuses.status(row)));
        found.sort(Comparator.comparing(JobStatus::id).reversed());
        List<JobStatus> page = List.copyOf(found.subList(0, Math.min(filter.limit(), found.size())));
        JobCursor next = next(page);
        return new JobPage(page, next, next != null && page.size() < filter.limit(), looked);
    }

    private @Nullable JobCursor next(List<JobStatus> page) {
        if (page.size() == filter.limit()) {
            return JobCursor.below(page.getLast().id());
        }
        return floor == Long.MIN_VALUE ? null : JobCursor.below(new JobId(floor));
    }

    /** Of the two lists one may reach further down; what is below the other's floor is for the next look. */
    private List<Long> inSight(List<Long> ids) {
        return ids.stream().filter(id -> id >= floor).toList();
    }

    private List<Long> live() {
        boolean isOfRunning = filter.state() == JobState.RUNNING
                || filter.isOfLiveOnly()
                || filter.search().worker() != null;
        return isOfRunning ? running() : look(tx.jobs().ids(), this::live);
    }

    private List<JobStatus> live(List<Long> ids) {
        return tx.jobs().findAll(ids).stream().map(JobStatuses::status).toList();
    }

    private List<JobStatus> ended(List<Long> ids) {
        return tx.history().findAll(ids).stream().map(JobStatuses::status).toList();
    }

    private List<Long> look(JobIds ids, Function<List<Long>, List<JobStatus>> read) {
        if (!Sought.isKnownToLists(filter.search())) {
            return search(ids, read);
        }
        List<Long> found = ids.list(filter, isSearch() ? LOOK_MAX : Integer.MAX_VALUE);
        Long lowest = isSearch() && found.size() < filter.limit() ? ids.floor(filter, LOOK_MAX) : null;
        if (lowest != null) {
            floor = Math.max(floor, lowest);
            looked += LOOK_MAX;
        }
        return found;
    }

    /** Reads jobs, newest first, until enough match or as much was read as one look may read. */
    private List<Long> search(JobIds ids, Function<List<Long>, List<JobStatus>> read) {
        List<Long> found = new ArrayList<>();
        JobFilter rest = filter.limit(READ_AT_ONCE);
        long rows = 0;
        long characters = 0;
        while (true) {
            List<Long> part = ids.list(rest, LOOK_MAX);
            for (JobStatus job : read.apply(part)) {
                characters += job.spec().payload().length();
                if (Sought.is(filter.search(), job)) {
                    found.add(job.id().value());
                }
            }
            rows += part.size();
            boolean isEnd = part.size() < READ_AT_ONCE;
            Long lowest = isEnd ? ids.floor(rest, LOOK_MAX) : part.getLast();
            boolean isEnough =
                    isEnd || found.size() >= filter.limit() || rows >= READ_MAX || characters >= CHARACTERS_MAX;
            if (isEnough) {
                looked += rows;
                floor = lowest == null ? floor : Math.max(floor, lowest);
                return found;
            }
            rest = rest.before(new JobId(part.getLast()));
        }
    }

    /** Whether a job may have to be looked at that is not wanted, for want of an index. */
    private boolean isSearch() {
        boolean isMostOfAll = filter.state() == JobState.QUEUED || filter.state() == JobState.SUCCEEDED;
        return isMostOfAll
                || filter.type() != null
                || filter.queue() != null
                || filter.gate() != null
                || !filter.search().labels().isEmpty();
    }

    /** Their workers know them. */
    private List<Long> running() {
        long before = JobMatch.below(filter);
        List<Long> held = tx.workers().list().stream()
                .map(worker -> worker.holding())
                .flatMap(Collection::stream)
                .filter(id -> id < before)
                .toList();
        return tx.jobs().findAll(held).stream()
                .filter(job -> job.state() == JobState.RUNNING && JobMatch.isWanted(filter, job.spec(), job.state()))
                .filter(job -> Sought.is(filter.search(), JobStatuses.status(job)))
                .map(JobRow::id)
                .sorted(Comparator.reverseOrder())
                .limit(filter.limit())
                .toList();
    }
}
