package dev.headgate.internal.schedule;

import dev.headgate.internal.enqueue.Enqueue;
import dev.headgate.internal.enqueue.StoredDefaults;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.Unmet;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleRow.Progress;
import dev.headgate.spi.ScheduleTable.RunRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns due schedules into jobs.
 *
 * <p>Design note: one job per schedule and instant. A transaction that fires a schedule holds its row from the look at what is due to
 * the commit of the jobs, the runs and the instant up to which all is settled. So two workers cannot fire the same
 * instant, and one that dies halfway has fired nothing. Should a clock step back, instants that are settled stay so.
 *
 * <p>Locks: schedules first, then what an enqueue takes. No transaction locks a schedule after a job.
 */
final class FireSchedules {
    /** Runs that are remembered of each schedule, besides those whose jobs have not ended. */
    static final int RUNS_KEPT = 100;

    /** How soon a schedule is looked at again whose timing means nothing here, or whose run was refused. */
    private static final long RETRY_MICROS = Micros.of(Duration.ofMinutes(1));

    private final StoreTransaction tx;
    private final long now;
    private final int runsMax;
    private final Map<String, List<Need>> unended = new HashMap<>();
    private final List<NewJob> jobs = new ArrayList<>();
    private final List<RunRow> runs = new ArrayList<>();
    private final List<ScheduleRow> moved = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    private FireSchedules(StoreTransaction tx, long now, int runsMax) {
        this.tx = tx;
        this.now = now;
        this.runsMax = runsMax;
    }

    /** What a look at the schedules came to. */
    record Looked(int schedules, int runs, List<String> troubles, List<String> leftOut, Set<Wake> wakes) {}

    /**
     * Fires what is due.
     *
     * @param tried gets the names of those that were looked at
     */
    static Looked due(StoreTransaction tx, int limit, List<String> tried) {
        tx.policies();
        List<ScheduleRow> due = tx.schedules().lockDue(tx.now(), limit);
        tried.clear();
        due.forEach(row -> tried.add(row.name()));
        return new FireSchedules(tx, tx.now(), Integer.MAX_VALUE).all(due);
    }

    /** Fires this one, if it is due, and of several missed runs the oldest. */
    static Looked one(StoreTransaction tx, String name, int runsMax) {
        tx.policies();
        ScheduleRow row = tx.schedules().lock(name);
        return new FireSchedules(tx, tx.now(), runsMax).all(isDue(row, tx.now()) ? List.of(row) : List.of());
    }

    /** What is due of this one cannot be enqueued: that is noted, and it counts as missed until it can. */
    static Looked refused(StoreTransaction tx, String name, String why) {
        ScheduleRow row = tx.schedules().lock(name);
        long now = tx.now();
        if (row == null || !isDue(row, now)) {
            return new Looked(0, 0, List.of(), List.of(), Set.of());
        }
        FireSchedules fire = new FireSchedules(tx, now, 1);
        DueRuns due = fire.reckon(row);
        if (due != null) {
            Instant first =
                    due.runs().isEmpty() ? Micros.instant(now) : due.runs().getFirst();
            String refusal = "the run of %s was refused, and is tried again: %s".formatted(first, why);
            fire.troubles.add(named(row, refusal));
            Instant next = due.next();
            long soon = now + RETRY_MICROS;
            long nextAt = next == null ? soon : Math.min(soon, Micros.of(next));
            Progress was = row.progress();
            fire.moved.add(row.with(new Progress(false, was.settledAt(), nextAt, was.lastAt(), refusal)));
        }
        return fire.write();
    }

    /**
     * What came of firing a schedule by hand.
     *
     * @param run absent if it was left out, because an earlier one has not ended
     */
    record ByHand(@Nullable RunRow run, Set<Wake> wakes) {}

    /**
     * Starts a run for this moment, whatever its timing says; how far the schedule is does not change. Absent if there is no such
     * schedule.
     */
    static @Nullable ByHand byHand(StoreTransaction tx, String name) {
        tx.policies();
        ScheduleRow row = tx.schedules().lock(name);
        if (row == null) {
            return null;
        }
        long now = tx.now();
        FireSchedules fire = new FireSchedules(tx, now, 1);
        fire.findUnended(List.of(row));
        List<Need> earlier = fire.unendedOf(name);
        if (isLeftOut(row.terms().overlap(), earlier)) {
            return new ByHand(null, Set.of());
        }
        List<RunRow> newest = tx.schedules().runs(name, 1);
        long instant = newest.isEmpty() ? now : Math.max(now, newest.getFirst().at() + 1);
        if (isOf(row, instant)) {
            instant++; // that instant is still to be fired by itself
        }
        fire.start(row, instant, earlier);
        Set<Wake> wakes = fire.write().wakes();
        return new ByHand(fire.runs.getFirst(), wakes);
    }

    private static boolean isOf(ScheduleRow row, long instant) {
        try {
            Instant at = Micros.instant(instant);
            return at.equals(row.terms().schedule().timing().after(at.minusNanos(1_000)));
        } catch (RuntimeException unreadable) {
            return false;
        }
    }

    private static boolean isDue(@Nullable ScheduleRow row, long now) {
        Long at = row == null ? null : row.progress().nextAt();
        return at != null && at <= now;
    }

    private Looked all(List<ScheduleRow> due) {
        findUnended(due);
        due.forEach(this::fire);
        return write();
    }

    private void findUnended(List<ScheduleRow> due) {
        List<String> careful = due.stream()
                .filter(row -> row.terms().overlap() != Overlap.ALLOW)
                .map(ScheduleRow::name)
                .toList();
        if (!careful.isEmpty()) {
            for (RunRow run : tx.schedules().liveRuns(careful)) {
                unendedOf(run.schedule()).add(new Need.Job(JobId.of(run.job()), Unmet.IGNORE));
            }
        }
    }

    private List<Need> unendedOf(String schedule) {
        return unended.computeIfAbsent(schedule, name -> new ArrayList<>());
    }

    /** What is due of it; absent if that cannot be told, which is noted. */
    private @Nullable DueRuns reckon(ScheduleRow row) {
        try {
            Schedule schedule = row.terms().schedule();
            return DueRuns.of(schedule, Micros.instant(row.progress().settledAt()), Micros.instant(now));
        } catch (RuntimeException unreadable) {
            String trouble =
                    "cannot tell when it is due, and looks again in a minute: %s".formatted(unreadable.getMessage());
            troubles.add(named(row, trouble));
            Progress was = row.progress();
            moved.add(
                    row.with(new Progress(was.isPaused(), was.settledAt(), now + RETRY_MICROS, was.lastAt(), trouble)));
            return null;
        }
    }

    private static String named(ScheduleRow row, String note) {
        return "schedule '%s': %s".formatted(row.name(), note);
    }

    private void fire(ScheduleRow row) {
        DueRuns due = reckon(row);
        if (due == null) {
            return;
        }
        Long last = row.progress().lastAt();
        String note = null;
        if (due.isCut()) {
            note = "more than %d runs were missed; those before %s were left out"
                    .formatted(Missed.MADE_UP_MAX, due.runs().getFirst());
            troubles.add(named(row, note));
        }
        for (Instant at : due.runs().subList(0, Math.min(runsMax, due.runs().size()))) {
            long instant = Micros.of(at);
            if (last != null && instant <= last) {
                continue; // the schedule was edited or resumed after a clock had stepped back
            }
            List<Need> earlier = unendedOf(row.name());
            if (isLeftOut(row.terms().overlap(), earlier)) {
                note = "the run of %s was left out: an earlier one has not ended".formatted(at);
                leftOut.add(named(row, note));
            } else {
                start(row, instant, earlier);
                last = instant;
            }
        }
        move(row, due, last, note);
    }

    private static boolean isLeftOut(Overlap overlap, List<Need> earlier) {
        return switch (overlap) {
            case ALLOW -> false;
            case SKIP -> !earlier.isEmpty();
            case BUFFER -> earlier.size() > 1;
        };
    }

    private void start(ScheduleRow row, long instant, List<Need> earlier) {
        List<Need> needs = row.terms().overlap() == Overlap.BUFFER ? List.copyOf(earlier) : List.of();
        earlier.add(new Need.Mate(jobs.size(), Unmet.IGNORE, false));
        JobSpec job = StoredDefaults.applied(row.terms().job(), tx.policies());
        jobs.add(new NewJob(job, new Due.After(row.terms().delay()), needs));
        runs.add(new RunRow(row.name(), instant, 0, now));
    }

    private void move(ScheduleRow row, DueRuns due, @Nullable Long last, @Nullable String note) {
        boolean isMore = due.runs().size() > runsMax;
        Instant next = isMore ? due.runs().get(runsMax) : due.next();
        // What is due comes after what was settled, and now comes after both.
        long settled = isMore ? Micros.of(due.runs().get(runsMax - 1)) : now;
        Long nextAt = next == null ? null : Long.valueOf(Micros.of(next));
        moved.add(row.with(new Progress(false, settled, nextAt, last, note)));
    }

    private Looked write() {
        Set<Wake> wakes = new HashSet<>();
        if (!jobs.isEmpty()) {
            jobs.forEach(job -> wakes.add(new Wake.Queue(job.spec().lane().queue())));
            List<Inserted> inserted = Enqueue.run(tx, null, jobs, wakes, true).get();
            for (int i = 0; i < runs.size(); i++) {
                RunRow run = runs.get(i);
                runs.set(i, new RunRow(run.schedule(), run.at(), inserted.get(i).id(), run.firedAt()));
            }
            tx.schedules().addRuns(runs);
            tx.schedules()
                    .trimRuns(runs.stream().map(RunRow::schedule).distinct().toList(), RUNS_KEPT);
        }
        if (!moved.isEmpty()) {
            tx.schedules().move(moved);
        }
        return new Looked(moved.size(), runs.size(), List.copyOf(troubles), List.copyOf(leftOut), wakes);
    }
}
