package dev.headgate.proof.simulation;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.simulation.Track.Stand;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.GiveBack;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.JobTable.NewRow;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All jobs and gates as the commits show them, each commit judged as it comes. */
final class Tracks {
    private final Judge judge;
    private final RunWatch runs;
    private final UniqueKeys unique;
    private final Pauses pauses;
    private final LaneOrder order;
    private final Gates gates;
    private final Callers callers;
    private final PruneWatch pruned;
    private @Nullable Track[] tracks = new Track[256];
    private Commit commit = new Commit(0, 0, 0, 0);
    private long latest = Long.MIN_VALUE;
    private int live;
    private int running;
    private long moves;

    Tracks(Judge judge, RunWatch runs) {
        this.judge = judge;
        this.runs = runs;
        this.unique = new UniqueKeys(judge, this);
        this.pauses = new Pauses(judge);
        this.order = new LaneOrder(judge);
        this.gates = new Gates(judge);
        this.callers = new Callers(judge);
        this.pruned = new PruneWatch(judge, this, runs);
    }

    /** This commit follows. */
    void commitAt(Commit next) {
        commit = next;
        latest = Math.max(latest, next.micros());
    }

    long now() {
        return commit.micros();
    }

    Commit commit() {
        return commit;
    }

    Pauses pauses() {
        return pauses;
    }

    LaneOrder order() {
        return order;
    }

    int live() {
        return live;
    }

    int running() {
        return running;
    }

    /** Rises whenever a job is leased, ends, or is put back in line after it was set aside. */
    long moves() {
        return moves;
    }

    @Nullable
    Track find(long id) {
        return id >= 0 && id < tracks.length ? tracks[(int) id] : null;
    }

    void each(Consumer<Track> visitor) {
        for (Track track : tracks) {
            if (track != null) {
                visitor.accept(track);
            }
        }
    }

    Gates gates() {
        return gates;
    }

    Callers callers() {
        return callers;
    }

    PruneWatch pruned() {
        return pruned;
    }

    boolean isHeld(long job, long epoch) {
        Track track = find(job);
        return track != null && track.stand == Stand.RUNNING && track.epoch == epoch;
    }

    void inserted(NewRow row, Inserted answer) {
        unique.inserted(row, answer, latest);
        if (!answer.isNew()) {
            return;
        }
        judge.noted(Judge.INSERT, answer.id(), row.runAt(), now());
        if (find(answer.id()) != null) {
            judge.broken("I2", "job %d: enqueued under the number of another".formatted(answer.id()));
            return;
        }
        Track track = new Track(answer.id(), row.spec(), gates.of(row.spec().lane()), now(), row.runAt());
        put(track);
        live++;
        switch (row.state()) {
            case QUEUED -> order.entered(track);
            case SCHEDULED -> order.scheduled(track);
            default -> track.isOutOfOrder = true;
        }
    }

    /** A job has become due, or waits for no other any more, and has come into its lane by that. */
    void entered(long job) {
        Track track = known(job, "put into its lane");
        if (track != null) {
            order.entered(track);
        }
    }

    /** A job waits for no other any more, but is not due yet. */
    void scheduled(long job) {
        Track track = known(job, "scheduled");
        if (track != null) {
            order.scheduled(track);
        }
    }

    /** In which order jobs that start together came into their lanes. */
    long entryOf(JobRow row) {
        Track track = find(row.id());
        return track == null ? 0 : track.entry;
    }

    private void put(Track track) {
        int at = Math.toIntExact(track.id);
        if (at >= tracks.length) {
            tracks = Arrays.copyOf(tracks, Math.max(at + 1, tracks.length * 2));
        }
        tracks[at] = track;
    }

    void granted(JobRow row, String worker, PolicyBook book) {
        Track track = known(row.id(), "leased");
        if (track == null) {
            return;
        }
        if (track.stand != Stand.WAITING) {
            judge.broken(
                    track.stand == Stand.RUNNING ? "I3" : "I14",
                    "%s: leased to %s as epoch %d"
                            .formatted(track, worker, row.lease().epoch()));
            return;
        }
        order.granted(track);
        running++;
        lease(track, row, worker, book);
    }

    /** Leased to the same worker once more, without having been away. */
    void grantedAgain(JobRow row, LeaseRef before, String worker, PolicyBook book) {
        Track track = known(row.id(), "leased again");
        if (track == null) {
            return;
        }
        if (!track.isHeldBy(worker, before.epoch())) {
            judge.broken("I5", "%s: leased again to %s, which held epoch %d".formatted(track, worker, before.epoch()));
            return;
        }
        letGo(track, true);
        lease(track, row, worker, book);
    }

    private void lease(Track track, JobRow row, String worker, PolicyBook book) {
        judge.noted(Judge.GRANT, track.id, row.lease().epoch(), now());
        moves++;
        if (row.lease().epoch() <= track.epoch) {
            broken("I4", track, "leased as epoch " + row.lease().epoch());
        }
        if (track.notBefore > latest) {
            broken("I20", track, "starts before it is due, at " + track.notBefore);
        }
        if (track.isCancelAsked) {
            broken("I23", track, "starts after it was cancelled");
        }
        int attempt = row.lease().attempt();
        int attemptsMax = track.spec.tries().attemptsMax();
        if (attempt != track.attempt + 1 || attempt > attemptsMax) {
            broken("I16", track, "attempt %d after %d of %d".formatted(attempt, track.attempt, attemptsMax));
        }
        gates.checkTime(track, row.lease().startedAt(), commit);
        pauses.granted(track);
        runs.granted(track);
        track.stand = Stand.RUNNING;
        track.epoch = row.lease().epoch();
        track.worker = worker;
        track.attempt = attempt;
        track.grantedAt = now();
        track.margin = row.lease().margin();
        gates.started(track, book, now());
        callers.granted(track, commit.nanos());
    }

    /** A running job has given its start up and taken a new one. */
    void departed(String worker, LeaseRef ref, Start anew, PolicyBook book) {
        Track track = known(ref.job(), "given a new start");
        if (track == null) {
            return;
        }
        judge.noted(Judge.DEPART, ref.job(), ref.epoch(), now());
        if (!track.isHeldBy(worker, ref.epoch())) {
            judge.broken("I5", "%s: a new start for %s as epoch %d".formatted(track, worker, ref.epoch()));
            return;
        }
        for (GateWatch gate : track.gates) {
            gate.release(track);
            gate.giveUp(track);
        }
        gates.checkTime(track, anew.at(), commit);
        track.margin = anew.margin();
        track.grantedAt = now();
        gates.started(track, book, now());
        callers.grantedAnew(track, commit.nanos());
    }

    /** Said only of what is broken: the words cost more than the look. */
    private void broken(String invariant, Track track, String what) {
        judge.broken(invariant, track + ": " + what);
    }

    /** A worker's lease was found valid and has ended. */
    @Nullable
    Track released(String worker, LeaseRef ref, boolean isByWorker) {
        judge.noted(Judge.OUTCOME, ref.job(), ref.epoch(), now());
        Track track = known(ref.job(), "released");
        if (track == null) {
            return null;
        }
        if (!track.isHeldBy(worker, ref.epoch())) {
            judge.broken(
                    track.stand == Stand.RUNNING || track.stand == Stand.WAITING ? "I5" : "I14",
                    "%s: what %s says as epoch %d was accepted".formatted(track, worker, ref.epoch()));
            return null;
        }
        letGo(track, isByWorker);
        track.stand = Stand.WAITING;
        track.worker = null;
        running--;
        return track;
    }

    /** One that brings itself back without having run was late, if it could be: then it is as if it had never started. */
    private void letGo(Track track, boolean isByWorker) {
        boolean isGivenUp = isByWorker && track.margin > 0 && !callers.isSpent(track.ref());
        for (GateWatch gate : track.gates) {
            gate.release(track);
            if (isGivenUp) {
                gate.giveUp(track);
            } else if (isByWorker && gate.key().scope() == GateKey.Scope.GATE) {
                String name = gate.key().name();
                long charged = track.spec.cost().at(name);
                long actual = track.actual(name, charged);
                if (actual != charged) {
                    gate.settle(track.ref(), charged, actual, now());
                    callers.settled(track.ref(), gate.key(), actual);
                }
            }
        }
    }

    void gaveBack(String worker, GiveBack back, boolean isByWorker) {
        Track track = released(worker, back.lease(), isByWorker);
        if (track != null) {
            runs.released(track, !back.attemptBack());
            if (isByWorker && !back.attemptBack() && !callers.isEntered(track.ref())) {
                broken("I16", track, "uses an attempt, though its handler was not entered");
            }
            track.isOutOfOrder = true;
            track.notBefore = back.runAt();
            track.attempt -= back.attemptBack() ? 1 : 0;
            track.lost += back.isLost() ? 1 : 0;
        }
    }

    /** The worker of an earlier lease came back alive: neither the loss nor the attempt counts. */
    void forgiven(long job) {
        Track track = known(job, "forgiven a loss");
        if (track != null) {
            if (track.lost == 0) {
                broken("I16", track, "a loss is taken back that was not counted");
            }
            track.lost--;
            track.attempt--;
        }
    }

    void ended(String worker, LeaseRef ref, JobState state, boolean isByWorker) {
        Track track = released(worker, ref, isByWorker);
        if (track != null) {
            runs.released(track, true);
            runs.ended(track, state);
            end(track, state);
        }
    }

    private void end(Track track, JobState state) {
        track.stand = state == JobState.SUCCEEDED ? Stand.SUCCEEDED : Stand.ENDED;
        track.isOutOfOrder = true;
        unique.gone(track);
        live--;
        moves++;
    }

    /** A job that never ran has ended. */
    void endedWaiting(long job, JobState state) {
        Track track = known(job, "ended");
        if (track != null) {
            judge.noted(Judge.OUTCOME, job, 0, now());
            if (track.stand != Stand.WAITING) {
                broken("I15", track, "ended as " + state + " though it does not wait");
            }
            end(track, state);
        }
    }

    void expired(long job) {
        Track track = find(job);
        Instant deadline = track == null ? null : track.spec.tries().deadline();
        if (track != null && deadline != null && Micros.of(deadline) > latest) {
            broken("I20", track, "failed before its deadline " + deadline);
        }
        endedWaiting(job, JobState.FAILED);
    }

    /** @param before the state that it had */
    void requeued(long job, JobState before, JobState after, long runAt) {
        Track track = known(job, "requeued");
        if (track != null) {
            if (track.stand != Stand.WAITING) {
                broken("I15", track, "requeued though it does not wait");
            }
            track.notBefore = runAt;
            if (after == JobState.SCHEDULED) {
                order.scheduled(track);
            } else if (after == JobState.QUEUED && before == JobState.SCHEDULED) {
                order.entered(track);
            } else if (before != after) {
                track.isOutOfOrder = true;
            }
        }
    }

    /** It no longer stands where it was, or it may have been passed over in good order. */
    void movedAside(long job) {
        Track track = find(job);
        if (track != null) {
            track.isOutOfOrder = true;
        }
    }

    /** Jobs that were set aside may start from now on. */
    void cameBack() {
        moves++;
    }

    void revived(long job) {
        Track track = known(job, "revived");
        if (track != null) {
            if (track.stand != Stand.ENDED) {
                broken("I14", track, "revived");
            }
            track.stand = Stand.WAITING;
            track.attempt = 0;
            track.lost = 0;
            track.notBefore = now();
            track.isCancelAsked = false;
            order.entered(track);
            live++;
            unique.revived(track);
        }
    }

    void deleted(long job) {
        Track track = known(job, "deleted");
        if (track == null || track.stand == Stand.DELETED) {
            return;
        }
        if (track.stand == Stand.RUNNING) {
            letGo(track, false);
            runs.released(track, false);
            running--;
        }
        if (track.isLive()) {
            live--;
            unique.gone(track);
        }
        track.stand = Stand.DELETED;
        track.isOutOfOrder = true;
    }

    void cancelAsked(long job) {
        Track track = known(job, "cancelled");
        if (track != null) {
            track.isCancelAsked = true;
        }
    }

    /** A report of a running job was stored. */
    void reported(String worker, LeaseRef ref) {
        Track track = known(ref.job(), "reported");
        if (track != null && !track.isHeldBy(worker, ref.epoch())) {
            judge.broken("I5", "%s: a report of %s as epoch %d was accepted".formatted(track, worker, ref.epoch()));
        }
    }

    void settled(long job, long epoch, String gate, long units) {
        Track track = find(job);
        if (track != null) {
            track.settles(epoch, gate, units);
        }
    }

    private @Nullable Track known(long job, String how) {
        Track track = find(job);
        if (track == null) {
            judge.broken("I2", "job %d: %s, but it was never enqueued".formatted(job, how));
        }
        return track;
    }
}
