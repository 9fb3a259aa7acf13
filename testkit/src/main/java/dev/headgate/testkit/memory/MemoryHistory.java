package dev.headgate.testkit.memory;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobState;
import dev.headgate.job.LogLine;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.HistoryTable;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobRow.Lease;
import dev.headgate.spi.JobRow.Notes;
import dev.headgate.spi.JobRow.Place;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.Report;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Ended jobs, and the failed attempts and log lines of all jobs. */
final class MemoryHistory implements HistoryTable {
    private final Ordered<Boolean, HistoryRow> byEnd = new Ordered<>(
            row -> true,
            Comparator.comparingLong((HistoryRow ended) -> ended.times().finishedAt())
                    .thenComparingLong(HistoryRow::id));
    private final MemoryTally<HistoryRow> tally =
            new MemoryTally<>(row -> row.spec().lane().queue(), HistoryRow::state);

    final Rows<Long, HistoryRow> ended;
    private final Rows<Long, Past> pasts;
    private @Nullable MemoryJobs jobs;

    /** What is kept of one job beside its row; {@code rank} if it is not that of its number. */
    private record Past(long job, @Nullable Long rank, List<Attempt> attempts, List<LogLine> log) {
        Past at(long place) {
            return new Past(job, place, attempts, log);
        }

        Past withAttempt(Attempt attempt) {
            return new Past(job, rank, appended(attempts, List.of(attempt)), log);
        }

        Past withLog(List<LogLine> lines, int linesMax) {
            List<LogLine> all = appended(log, lines);
            return new Past(
                    job, rank, attempts, List.copyOf(all.subList(Math.max(0, all.size() - linesMax), all.size())));
        }

        private static <T> List<T> appended(List<T> some, List<T> more) {
            List<T> all = new ArrayList<>(some);
            all.addAll(more);
            return List.copyOf(all);
        }
    }

    MemoryHistory(Journal journal) {
        this.ended = new Rows<>(journal, HistoryRow::id, List.of(byEnd, tally));
        this.pasts = new Rows<>(journal, Past::job, List.of());
    }

    /** Where revived jobs go. */
    void connect(MemoryJobs live) {
        this.jobs = live;
    }

    void add(LiveJob job, HistoryRow row) {
        ended.put(row);
        if (job.row().place().rank() != row.spec().rank(row.id())) {
            pasts.put(past(row.id()).at(job.row().place().rank()));
        }
    }

    /** Another reason for an end. */
    void retell(long job, String detail) {
        HistoryRow row = ended.get(job);
        if (row != null) {
            ended.put(row.withDetail(detail));
        }
    }

    void appendLog(LeaseRef lease, List<Report.Line> lines, int linesMax) {
        if (!lines.isEmpty()) {
            List<LogLine> stamped = lines.stream()
                    .map(line -> new LogLine(Micros.instant(line.at()), lease.epoch(), line.text()))
                    .toList();
            pasts.put(past(lease.job()).withLog(stamped, linesMax));
        }
    }

    /** Drops attempts and log lines of a job that is no more. */
    void forget(long job) {
        pasts.remove(job);
    }

    private Past past(long job) {
        Past known = pasts.get(job);
        return known == null ? new Past(job, null, List.of(), List.of()) : known;
    }

    @Override
    public void addAttempts(List<NewAttempt> attempts) {
        for (NewAttempt tried : attempts) {
            pasts.put(past(tried.job())
                    .withAttempt(new Attempt(
                            tried.number(),
                            tried.epoch(),
                            tried.worker(),
                            Micros.instant(tried.startedAt()),
                            Micros.instant(tried.endedAt()),
                            tried.outcome(),
                            tried.error())));
        }
    }

    @Override
    public List<Attempt> attempts(long job) {
        return past(job).attempts();
    }

    @Override
    public Map<Long, List<Attempt>> attempts(Collection<Long> jobs) {
        Map<Long, List<Attempt>> byJob = new HashMap<>();
        for (long job : jobs) {
            if (!past(job).attempts().isEmpty()) {
                byJob.put(job, past(job).attempts());
            }
        }
        return byJob;
    }

    @Override
    public List<Long> amendLost(String worker, List<LeaseRef> leases, String outcome, String error) {
        List<Long> amended = new ArrayList<>();
        for (LeaseRef lease : leases) {
            Past known = past(lease.job());
            List<Attempt> after = new ArrayList<>(known.attempts());
            after.replaceAll(attempt -> isLost(attempt, worker, lease) ? amended(attempt, outcome, error) : attempt);
            if (!after.equals(known.attempts())) {
                pasts.put(new Past(known.job(), known.rank(), List.copyOf(after), known.log()));
                amended.add(lease.job());
            }
        }
        return amended;
    }

    private static boolean isLost(Attempt attempt, String worker, LeaseRef lease) {
        return attempt.epoch() == lease.epoch()
                && attempt.worker().equals(worker)
                && attempt.outcome().equals("lost");
    }

    private static Attempt amended(Attempt attempt, String outcome, String error) {
        return new Attempt(
                attempt.number(),
                attempt.epoch(),
                attempt.worker(),
                attempt.startedAt(),
                attempt.endedAt(),
                outcome,
                error);
    }

    @Override
    public List<LogLine> log(long job) {
        return past(job).log();
    }

    @Override
    public @Nullable HistoryRow find(long job) {
        return ended.get(job);
    }

    @Override
    public JobIds ids() {
        return new Listing<>(ended.all(), HistoryRow::spec, HistoryRow::state);
    }

    @Override
    public List<EndedStart> starts(long before, int limit) {
        return ended.all().headMap(before, false).descendingMap().values().stream()
                .limit(limit)
                .map(row ->
                        new EndedStart(row.id(), row.spec().lane(), row.times().startedAt()))
                .toList();
    }

    @Override
    public List<HistoryRow> findAll(Collection<Long> ids) {
        return ids.stream().map(ended::get).filter(Objects::nonNull).toList();
    }

    @Override
    public List<Revived> revive(Collection<Long> ids, long now) {
        List<Revived> revived = new ArrayList<>();
        for (long job : new TreeSet<>(ids)) {
            HeadOfLane head = revive(job, now);
            if (head != null) {
                revived.add(new Revived(job, head));
            }
        }
        return revived;
    }

    private @Nullable HeadOfLane revive(long job, long now) {
        HistoryRow gone = ended.get(job);
        if (gone == null || gone.state() == JobState.SUCCEEDED) {
            return null;
        }
        MemoryJobs live = Objects.requireNonNull(jobs);
        LiveJob revived = revived(gone, now).with(edit -> edit.takePlace(live.numbers()::next));
        ended.remove(job);
        live.revive(revived);
        return revived.asHead();
    }

    private LiveJob revived(HistoryRow gone, long now) {
        JobSpec spec = gone.spec();
        JobRow row = new JobRow(
                gone.id(),
                withoutPastDeadline(spec, now),
                JobState.QUEUED,
                new Place(
                        Objects.requireNonNullElse(past(gone.id()).rank(), spec.rank(gone.id())),
                        gone.times().enqueuedAt(),
                        now),
                new Lease(null, 0, 0, 0, gone.leases().epoch(), null),
                Notes.of(gone.end().detail()));
        Long dedupUntil = spec.dedup().lasts() == null
                ? null
                : Long.valueOf(
                        gone.times().enqueuedAt() + Micros.of(spec.dedup().lasts()));
        return new LiveJob(row, spec.lane().id(), dedupUntil, Caps.NONE);
    }

    /** A deadline that has passed would end the job again at once. */
    private static JobSpec withoutPastDeadline(JobSpec spec, long now) {
        boolean isPast =
                spec.tries().deadline() != null && Micros.of(spec.tries().deadline()) <= now;
        Tries tries = spec.tries();
        return !isPast ? spec : spec.with(new Tries(tries.attemptsMax(), tries.retry(), tries.timeout(), null));
    }

    @Override
    public List<Long> hold(Collection<Long> ids) {
        return findAll(new TreeSet<>(ids)).stream().map(HistoryRow::id).toList();
    }

    @Override
    public List<EndPosition> lockEnded(EndedRange range, EndPosition after, int limit) {
        return byEnd.in(true).stream()
                .dropWhile(row -> !after.isBefore(row.times().finishedAt(), row.id()))
                .takeWhile(row -> row.times().finishedAt() < range.before())
                .filter(row ->
                        range.covers(row.spec().lane().queue(), row.times().finishedAt()))
                .limit(limit)
                .map(row -> new EndPosition(row.times().finishedAt(), row.id()))
                .toList();
    }

    @Override
    public List<EndedJob> endedAfter(EndPosition after, long until, int limit) {
        return byEnd.in(true).stream()
                .dropWhile(row -> !after.isBefore(row.times().finishedAt(), row.id()))
                .takeWhile(row -> row.times().finishedAt() <= until)
                .limit(limit)
                .map(row -> new EndedJob(
                        new EndPosition(row.times().finishedAt(), row.id()),
                        row.spec().lane().queue(),
                        row.spec().type(),
                        row.state()))
                .toList();
    }

    @Override
    public int delete(Collection<Long> ids) {
        int gone = 0;
        for (long job : ids) {
            if (ended.remove(job) != null) {
                gone++;
                forget(job);
                Objects.requireNonNull(jobs).edges().forget(job);
            }
        }
        return gone;
    }

    @Override
    public List<QueueCount> counts(int max) {
        return tally.counts();
    }
}
