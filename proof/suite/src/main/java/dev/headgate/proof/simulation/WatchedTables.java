package dev.headgate.proof.simulation;

import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.job.LogLine;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.EdgeRow;
import dev.headgate.spi.EdgeTable;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.HistoryTable;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.PolicyTable;
import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleTable;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The smaller tables of one transaction; each tells what the checkers want to know of it. */
record WatchedTables(
        StoreTransaction tx,
        Changes changes,
        Tracks tracks,
        Instants instants,
        Set<Long> pruning,
        BooleanSupplier isLocked,
        Runnable waiting) {
    GateTable gates() {
        return new WatchedGates(tx.gates(), changes, tracks, isLocked, waiting);
    }

    HistoryTable history() {
        return new History(tx.history());
    }

    PolicyTable policies() {
        return new Policies(tx.policyTable());
    }

    EdgeTable edges() {
        return new Edges(tx.edges());
    }

    ScheduleTable schedules() {
        return new Schedules(tx.schedules());
    }

    private final class History implements HistoryTable {
        private final HistoryTable history;

        private History(HistoryTable history) {
            this.history = history;
        }

        @Override
        public void addAttempts(List<NewAttempt> attempts) {
            history.addAttempts(attempts);
        }

        @Override
        public List<Attempt> attempts(long job) {
            return history.attempts(job);
        }

        @Override
        public Map<Long, List<Attempt>> attempts(Collection<Long> jobs) {
            return history.attempts(jobs);
        }

        @Override
        public List<EndedStart> starts(long before, int limit) {
            return history.starts(before, limit);
        }

        @Override
        public List<Long> amendLost(String worker, List<LeaseRef> leases, String outcome, String error) {
            return history.amendLost(worker, leases, outcome, error);
        }

        @Override
        public List<LogLine> log(long job) {
            return history.log(job);
        }

        @Override
        public @Nullable HistoryRow find(long job) {
            return history.find(job);
        }

        @Override
        public JobIds ids() {
            return history.ids();
        }

        @Override
        public List<HistoryRow> findAll(Collection<Long> ids) {
            return history.findAll(ids);
        }

        @Override
        public List<Revived> revive(Collection<Long> jobs, long now) {
            List<Revived> revived = history.revive(jobs, now);
            changes.add(() -> revived.forEach(job -> tracks.revived(job.job())));
            return revived;
        }

        @Override
        public List<Long> hold(Collection<Long> jobs) {
            return history.hold(jobs);
        }

        @Override
        public List<EndPosition> lockEnded(EndedRange range, EndPosition after, int limit) {
            List<EndPosition> old = history.lockEnded(range, after, limit);
            old.forEach(job -> pruning.add(job.id()));
            return old;
        }

        @Override
        public List<EndedJob> endedAfter(EndPosition after, long until, int limit) {
            return history.endedAfter(after, until, limit);
        }

        /** What an operator names is deleted one by one; what goes because it is old was looked for first. */
        @Override
        public int delete(Collection<Long> jobs) {
            int gone = history.delete(jobs);
            boolean isPruning = pruning.containsAll(jobs);
            if (gone > 0) {
                changes.add(() -> {
                    if (isPruning) {
                        tracks.pruned().prunedJobs(jobs);
                    } else {
                        jobs.forEach(tracks::deleted);
                    }
                });
            }
            return gone;
        }

        @Override
        public List<QueueCount> counts(int max) {
            return history.counts(max);
        }
    }

    private final class Policies implements PolicyTable {
        private final PolicyTable policies;

        private Policies(PolicyTable policies) {
            this.policies = policies;
        }

        @Override
        public void lockForChange() {
            policies.lockForChange();
        }

        @Override
        public long save(Note note, List<PolicyChange> changed) {
            long version = policies.save(note, changed);
            changes.add(() -> tracks.gates().policies(changed, tracks.now()));
            return version;
        }

        @Override
        public List<PolicyVersion> versions(long after, long before) {
            return policies.versions(after, before);
        }

        @Override
        public void pause(Pause pause, Note note) {
            policies.pause(pause, note);
            changes.add(() -> tracks.pauses().paused(pause));
        }

        @Override
        public boolean resume(Pause pause) {
            boolean wasPaused = policies.resume(pause);
            changes.add(() -> tracks.pauses().resumed(pause));
            return wasPaused;
        }

        @Override
        public List<PauseRow> pauses() {
            return policies.pauses();
        }

        @Override
        public @Nullable PolicyVersion latestOf(GateKey key) {
            return policies.latestOf(key);
        }

        @Override
        public long prunedUpTo() {
            return policies.prunedUpTo();
        }

        @Override
        public void prunedUpTo(long version) {
            policies.prunedUpTo(version);
        }

        @Override
        public @Nullable Long newestBefore(long version, long instant) {
            return policies.newestBefore(version, instant);
        }

        @Override
        public int prune(long upTo, long removedSince) {
            return policies.prune(upTo, removedSince);
        }
    }

    private final class Edges implements EdgeTable {
        private final EdgeTable edges;

        private Edges(EdgeTable edges) {
            this.edges = edges;
        }

        @Override
        public void insert(List<EdgeRow> rows) {
            edges.insert(rows);
            changes.add(() -> tracks.pruned().tied(rows));
        }

        @Override
        public List<EdgeRow> of(Collection<Long> jobs) {
            return edges.of(jobs);
        }

        @Override
        public List<EdgeRow> fatal(Collection<Long> dependencies, int limit) {
            return edges.fatal(dependencies, limit);
        }

        @Override
        public List<OpenEdge> open(Collection<Long> jobs, int perJob) {
            return edges.open(jobs, perJob);
        }

        @Override
        public List<Long> lockLive(Collection<Long> dependencies) {
            return edges.lockLive(dependencies);
        }

        @Override
        public List<Long> live(Collection<Long> dependencies) {
            return edges.live(dependencies);
        }

        @Override
        public List<EdgeRow> settle(Collection<Long> dependencies, int limit) {
            return edges.settle(dependencies, limit);
        }

        @Override
        public List<Long> lockAwaiting(Collection<Long> jobs) {
            return edges.lockAwaiting(jobs);
        }

        @Override
        public List<Freed> free(Collection<Long> jobs, long now, boolean isNew) {
            List<Freed> freed = edges.free(jobs, now, isNew);
            if (!isNew) {
                List<Freed> inOrder = new ArrayList<>(freed);
                inOrder.sort(Comparator.comparingLong(Freed::job));
                changes.add(() -> inOrder.forEach(this::noted));
            }
            return freed;
        }

        private void noted(Freed freed) {
            if (freed.state() == JobState.QUEUED) {
                tracks.entered(freed.job());
            } else {
                tracks.scheduled(freed.job());
            }
        }

        @Override
        public void fell(List<Felled> felled, long now) {
            edges.fell(felled, now);
            changes.add(() -> felled.forEach(each -> tracks.endedWaiting(each.job(), each.state())));
        }

        @Override
        public void reopen(List<EdgeRow> rows) {
            edges.reopen(rows);
        }

        @Override
        public void markFatal(EdgeRow edge, String detail) {
            edges.markFatal(edge, detail);
        }

        @Override
        public void forgive(Collection<Long> jobs) {
            edges.forgive(jobs);
        }

        @Override
        public List<Long> await(Collection<Long> jobs) {
            List<Long> waiting = edges.await(jobs);
            changes.add(() -> waiting.forEach(tracks::movedAside));
            return waiting;
        }

        @Override
        public List<Long> stillNeeded(Collection<Long> dependencies, long endedSince) {
            return edges.stillNeeded(dependencies, endedSince);
        }

        @Override
        public void addLooks(Collection<Long> jobs) {
            edges.addLooks(jobs);
        }

        @Override
        public List<Long> takeLooks(int limit) {
            return edges.takeLooks(limit);
        }
    }

    private final class Schedules implements ScheduleTable {
        private final ScheduleTable schedules;

        private Schedules(ScheduleTable schedules) {
            this.schedules = schedules;
        }

        @Override
        public List<ScheduleRow> list() {
            return schedules.list();
        }

        @Override
        public @Nullable ScheduleRow find(String name) {
            return schedules.find(name);
        }

        @Override
        public @Nullable ScheduleRow lock(String name) {
            return schedules.lock(name);
        }

        @Override
        public List<ScheduleRow> lockDue(long now, int limit) {
            return schedules.lockDue(now, limit);
        }

        @Override
        public @Nullable Long nextAt() {
            return schedules.nextAt();
        }

        @Override
        public boolean insert(ScheduleRow row) {
            return schedules.insert(row);
        }

        @Override
        public void save(ScheduleRow row) {
            schedules.save(row);
        }

        @Override
        public void move(List<ScheduleRow> rows) {
            schedules.move(rows);
        }

        @Override
        public boolean remove(String name) {
            boolean isGone = schedules.remove(name);
            changes.add(() -> instants.removed(name));
            return isGone;
        }

        @Override
        public void addRuns(List<RunRow> runs) {
            schedules.addRuns(runs);
            changes.add(() -> runs.forEach(instants::fired));
        }

        @Override
        public List<RunRow> liveRuns(Collection<String> names) {
            return schedules.liveRuns(names);
        }

        @Override
        public List<RunRow> runs(String name, int limit) {
            return schedules.runs(name, limit);
        }

        @Override
        public @Nullable RunRow runOf(long job) {
            return schedules.runOf(job);
        }

        @Override
        public void trimRuns(Collection<String> names, int keep) {
            schedules.trimRuns(names, keep);
        }
    }
}
