package dev.headgate.internal.schedule;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.enqueue.ImpossibleJobs;
import dev.headgate.internal.enqueue.RequiredGates;
import dev.headgate.internal.enqueue.StoredDefaults;
import dev.headgate.internal.schedule.FireSchedules.Looked;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JoinedBackend;
import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleRow.Progress;
import dev.headgate.spi.ScheduleTable.RunRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every transition of schedules. Thread-safe. */
public final class ScheduleStore {
    private static final Logger log = LoggerFactory.getLogger(ScheduleStore.class);
    private static final int BATCH_MAX = 100;

    private final Backend backend;

    public ScheduleStore(Backend backend) {
        this.backend = backend;
    }

    /** The same in the caller's transaction and on its connection alone. A schedule that it changes stays locked until it ends. */
    public ScheduleStore in(CallerTransaction caller) {
        return new ScheduleStore(new JoinedBackend(backend, caller));
    }

    /**
     * What a look at the schedules came to.
     *
     * @param runs how many were started
     * @param troubles runs that could not be started, and why
     * @param leftOut runs that were not started because an earlier one has not ended
     */
    public record Fired(int runs, List<String> troubles, List<String> leftOut) {}

    /**
     * Stores a schedule, or what is to change about it. One that is paused stays so.
     *
     * @throws IllegalArgumentException if it would never fire, or its job could never start
     */
    public PutResult put(String name, ScheduleTerms terms) {
        PutResult put = backend.write(tx -> {
            ScheduleRow same = tx.schedules().find(name);
            if (same != null && same.terms().equals(terms)) {
                return PutResult.UNCHANGED; // as at most starts of a program: nothing to lock, nothing to wait for
            }
            tx.policies();
            ScheduleRow row = tx.schedules().lock(name);
            if (row == null) {
                check(tx, name, terms);
                if (tx.schedules().insert(created(name, terms, tx.now()))) {
                    return PutResult.CREATED;
                }
                row = tx.schedules().lock(name); // another transaction was faster
            }
            return row == null ? PutResult.UNCHANGED : change(tx, row, terms);
        });
        tell(put != PutResult.UNCHANGED);
        return put;
    }

    /**
     * Changes a part of what is stored; absent if there is no such schedule.
     *
     * @throws IllegalArgumentException as for {@link #put}
     */
    public @Nullable PutResult edit(String name, UnaryOperator<ScheduleTerms> edit) {
        PutResult put = backend.<@Nullable PutResult>write(tx -> {
            tx.policies();
            ScheduleRow row = tx.schedules().lock(name);
            return row == null ? null : change(tx, row, edit.apply(row.terms()));
        });
        tell(put == PutResult.CHANGED);
        return put;
    }

    private static PutResult change(StoreTransaction tx, ScheduleRow row, ScheduleTerms terms) {
        if (row.terms().equals(terms)) {
            return PutResult.UNCHANGED;
        }
        boolean isSameTiming = row.terms().timing().equals(terms.timing());
        if (!isSameTiming) {
            check(tx, row.name(), terms);
        }
        refuse(tx, terms);
        Progress was = row.progress();
        Progress after = isSameTiming
                ? new Progress(was.isPaused(), was.settledAt(), was.nextAt(), was.lastAt(), null)
                : anew(terms.schedule(), was.isPaused(), was.lastAt(), tx.now());
        tx.schedules().save(new ScheduleRow(row.name(), terms, row.createdAt(), after));
        return PutResult.CHANGED;
    }

    private static void check(StoreTransaction tx, String name, ScheduleTerms terms) {
        Schedule schedule = terms.schedule();
        Instant now = Micros.instant(tx.now());
        DueRuns due = DueRuns.of(schedule, schedule.beginning(now), now);
        if (due.runs().isEmpty() && due.next() == null) {
            throw new IllegalArgumentException(
                    "schedule '%s': expected a timing that comes at some time after %s, got '%s', which never does"
                            .formatted(name, now, terms.timing()));
        }
        refuse(tx, terms);
    }

    /** A job that the policies of now would refuse at each instant. */
    private static void refuse(StoreTransaction tx, ScheduleTerms terms) {
        JobSpec job = StoredDefaults.applied(terms.job(), tx.policies());
        RequiredGates.refuse(job, tx.policies());
        ImpossibleJobs.refuse(job, tx.policies());
    }

    private static ScheduleRow created(String name, ScheduleTerms terms, long now) {
        return new ScheduleRow(name, terms, now, anew(terms.schedule(), false, null, now));
    }

    /** Goes on from now, but never back behind what it has done. */
    private static Progress anew(Schedule schedule, boolean isPaused, @Nullable Long last, long now) {
        long settled = Micros.of(schedule.beginning(Micros.instant(now)));
        settled = last == null ? settled : Math.max(settled, last);
        Instant next = isPaused ? null : schedule.timing().after(Micros.instant(settled));
        return new Progress(isPaused, settled, next == null ? null : Long.valueOf(Micros.of(next)), last, null);
    }

    /** Nothing of it starts until it is resumed; what was started goes on. False if there is no such schedule. */
    public boolean pause(String name) {
        return moving(name, (row, now) -> {
            Progress was = row.progress();
            return new Progress(true, was.settledAt(), null, was.lastAt(), was.note());
        });
    }

    /** It goes on; what would have been due meanwhile is left out, but for a single instant. */
    public boolean resume(String name) {
        return moving(
                name,
                (row, now) -> row.progress().isPaused()
                        ? anew(row.terms().schedule(), false, row.progress().lastAt(), now)
                        : row.progress());
    }

    private boolean moving(String name, BiFunction<ScheduleRow, Long, Progress> move) {
        boolean isThere = backend.write(tx -> {
            ScheduleRow row = tx.schedules().lock(name);
            if (row != null) {
                tx.schedules().move(List.of(row.with(move.apply(row, tx.now()))));
            }
            return row != null;
        });
        tell(isThere);
        return isThere;
    }

    /** Removes a schedule; its jobs stay. False if there is no such schedule. */
    public boolean remove(String name) {
        return backend.write(tx -> tx.schedules().remove(name));
    }

    /** Wakes the loops that wait for the next instant: it may be another one now. */
    private void tell(boolean hasChanged) {
        if (hasChanged) {
            backend.publish(Set.of(new Wake.Anything()));
        }
    }

    public @Nullable ScheduleStatus find(String name) {
        return backend.<@Nullable ScheduleStatus>read(tx -> {
            ScheduleRow row = tx.schedules().find(name);
            return row == null ? null : status(row, tx.policies());
        });
    }

    public List<ScheduleStatus> list() {
        return backend.read(tx -> {
            PolicyBook book = tx.policies();
            return tx.schedules().list().stream().map(row -> status(row, book)).toList();
        });
    }

    /** With its job as the next instant makes it, unless that cannot be made. */
    private static ScheduleStatus status(ScheduleRow row, PolicyBook book) {
        Progress progress = row.progress();
        ScheduleTerms terms = row.terms();
        try {
            terms = terms.with(StoredDefaults.applied(terms.job(), book), terms.delay());
        } catch (IllegalArgumentException tooMany) {
            log.debug("schedule '{}': {}", row.name(), tooMany.getMessage());
        }
        return new ScheduleStatus(
                row.name(),
                terms,
                progress.isPaused(),
                instant(progress.nextAt()),
                instant(progress.lastAt()),
                progress.note(),
                Micros.instant(row.createdAt()));
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Micros.instant(micros);
    }

    /** The instants of its next runs; none while it is paused. Absent if there is no such schedule. */
    public @Nullable List<Instant> nextRuns(String name, int most) {
        return backend.<@Nullable List<Instant>>read(tx -> {
            ScheduleRow row = tx.schedules().find(name);
            if (row == null) {
                return null;
            }
            Progress progress = row.progress();
            if (progress.isPaused()) {
                return List.of();
            }
            Schedule schedule = row.terms().schedule();
            Instant now = Micros.instant(tx.now());
            Instant settled = Micros.instant(progress.settledAt());
            List<Instant> runs =
                    new ArrayList<>(DueRuns.of(schedule, settled, now).runs());
            runs.addAll(schedule.next(settled.isAfter(now) ? settled : now, most));
            return List.copyOf(runs.subList(0, Math.min(most, runs.size())));
        });
    }

    /** Its newest runs first. */
    public List<ScheduledRun> runs(String name, int limit) {
        return backend.read(tx -> runs(tx, tx.schedules().runs(name, limit)));
    }

    /** The run that this job was enqueued for; absent if it was for none, or that is long ago. */
    public @Nullable ScheduledRun findRun(JobId job) {
        return backend.<@Nullable ScheduledRun>read(tx -> {
            RunRow run = tx.schedules().runOf(job.value());
            return run == null ? null : runs(tx, List.of(run)).getFirst();
        });
    }

    private static List<ScheduledRun> runs(StoreTransaction tx, List<RunRow> rows) {
        List<Long> ids = rows.stream().map(RunRow::job).toList();
        Map<Long, JobState> states = new HashMap<>();
        tx.jobs().findAll(ids).forEach(job -> states.put(job.id(), job.state()));
        tx.history().findAll(ids).forEach(job -> states.put(job.id(), job.state()));
        return rows.stream()
                .map(row -> new ScheduledRun(
                        row.schedule(),
                        Micros.instant(row.at()),
                        Micros.instant(row.firedAt()),
                        JobId.of(row.job()),
                        states.get(row.job())))
                .toList();
    }

    /** How long until a schedule is due; absent if none will be. Only reads. */
    public @Nullable Duration left() {
        return backend.<@Nullable Duration>read(tx -> {
            Long next = tx.schedules().nextAt();
            return next == null ? null : Micros.duration(Math.max(0, next - tx.now()));
        });
    }

    /** Starts every run that is due. Any process may do this at any time; each run is started once. */
    public Fired fire() {
        int runs = 0;
        List<String> troubles = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<Looked> batch;
        do {
            batch = batch();
            runs += batch.stream().mapToInt(Looked::runs).sum();
            batch.forEach(each -> troubles.addAll(each.troubles()));
            batch.forEach(each -> leftOut.addAll(each.leftOut()));
        } while (batch.stream().mapToInt(Looked::schedules).sum() >= BATCH_MAX);
        return new Fired(runs, troubles, leftOut);
    }

    /**
     * What came of firing a schedule by hand.
     *
     * @param run absent if it was left out, because an earlier one has not ended
     */
    public record ByHand(@Nullable ScheduledRun run) {}

    /** Starts a run for this moment, whatever its timing says; absent if there is no such schedule. */
    public @Nullable ByHand fireNow(String name) {
        FireSchedules.ByHand fired =
                backend.<FireSchedules.@Nullable ByHand>write(tx -> FireSchedules.byHand(tx, name));
        if (fired == null) {
            return null;
        }
        if (!fired.wakes().isEmpty()) {
            backend.publish(fired.wakes());
        }
        RunRow run = fired.run();
        return new ByHand(
                run == null ? null : backend.read(tx -> runs(tx, List.of(run))).getFirst());
    }

    private List<Looked> batch() {
        List<String> tried = new ArrayList<>();
        try {
            return List.of(firing(tx -> FireSchedules.due(tx, BATCH_MAX, tried)));
        } catch (StoreUnavailableException away) {
            throw away;
        } catch (RuntimeException refused) {
            if (tried.isEmpty()) {
                throw refused;
            }
            // One of them could not be enqueued, and nothing was. The others must not suffer for it.
            return tried.stream().flatMap(name -> alone(name).stream()).toList();
        }
    }

    /** Fires one schedule, run by run if not all of them are taken at once, until one is refused. */
    private List<Looked> alone(String name) {
        List<Looked> looks = new ArrayList<>();
        int runsMax = Integer.MAX_VALUE;
        boolean isDone = false;
        while (!isDone) {
            int most = runsMax;
            try {
                Looked looked = firing(tx -> FireSchedules.one(tx, name, most));
                looks.add(looked);
                isDone = looked.schedules() == 0 || most > 1;
            } catch (StoreUnavailableException away) {
                throw away;
            } catch (RuntimeException refused) {
                isDone = most == 1;
                runsMax = 1;
                if (isDone) {
                    looks.add(firing(tx -> FireSchedules.refused(tx, name, String.valueOf(refused.getMessage()))));
                }
            }
        }
        return looks;
    }

    private Looked firing(Function<StoreTransaction, Looked> work) {
        Looked looked = backend.write(work);
        if (!looked.wakes().isEmpty()) {
            backend.publish(looked.wakes());
        }
        return looked;
    }
}
