package dev.headgate.internal.claim;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.recovery.WorkerTrouble;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.workflow.StepOutcome;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Spans;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryTable.NewAttempt;
import dev.headgate.spi.JobTable.Ending;
import dev.headgate.spi.JobTable.GiveBack;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker has finished, each with its outcome: moves them to history or puts them back, guarded by worker and
 * epoch. The caller has locked the gates of all of them.
 */
final class EndedLeases {
    /** The least wait of a job that was pushed back by something that is not a gate or a limited queue. */
    private static final long WAIT_MIN_MICROS = Micros.PER_SECOND;

    private final StoreTransaction tx;
    private final String worker;
    private final long now;
    private final Map<Long, EndedLease> byJob = new HashMap<>();
    private final List<Ending> endings = new ArrayList<>();
    private final List<GiveBack> backs = new ArrayList<>();
    private final Set<Long> queued = new HashSet<>();
    private final Set<Long> stopped = new HashSet<>();
    private final List<LeaseRef> again = new ArrayList<>();
    private final List<NewAttempt> attempts = new ArrayList<>();
    private final Set<Long> accepted = new HashSet<>();
    private final List<ReleasedRow> released = new ArrayList<>();
    private final List<Long> gone = new ArrayList<>();
    private final List<ReleasedRow> restarting = new ArrayList<>();
    private final List<HeadOfLane> doorbells = new ArrayList<>();
    private final List<StepOutcome> steps = new ArrayList<>();
    private final Map<Long, Outcome> givenUp = new HashMap<>();
    private final Map<Long, List<Attempt>> past;
    private @Nullable Pending<List<Long>> ended;

    EndedLeases(StoreTransaction tx, String worker, List<EndedLease> ended, long now) {
        this.tx = tx;
        this.worker = worker;
        this.now = now;
        this.past = WorkerTrouble.past(tx, troubled(ended));
        ended.forEach(this::sort);
    }

    /** Jobs that come back because of their worker's trouble, and may have come back so before. */
    private static List<Long> troubled(List<EndedLease> ended) {
        return ended.stream()
                .filter(end -> end.outcome() instanceof Outcome.HandedBack back
                        && back.trouble() != null
                        && end.lease().lease().epoch() > 1)
                .map(end -> end.lease().id())
                .toList();
    }

    /**
     * If all of them have ended for good and have no gates, sends that off with what is asked next: their queues are locked.
     * Absent otherwise.
     */
    static @Nullable EndedLeases askPlain(StoreTransaction tx, TurnRequest request, long now) {
        boolean isPlain = request.ended().stream()
                .allMatch(end -> end.isFinal() && end.lease().spec().lane().isPlain());
        if (request.ended().isEmpty() || !isPlain) {
            return null;
        }
        EndedLeases returns = new EndedLeases(tx, request.worker(), request.ended(), now);
        returns.ended = returns.askEnds();
        return returns;
    }

    private Pending<List<Long>> askEnds() {
        return endings.isEmpty() ? Pending.of(List.of()) : tx.jobs().end(worker, endings, now);
    }

    private void sort(EndedLease ended) {
        byJob.put(ended.lease().id(), ended);
        LeaseRef ref = ended.ref();
        switch (ended.outcome()) {
            case Outcome.Succeeded(String result) -> endings.add(new Ending(ref, JobState.SUCCEEDED, result, null));
            case Outcome.Failed(String error) -> endings.add(new Ending(ref, JobState.FAILED, null, error));
            case Outcome.Cancelled(String reason) -> endings.add(new Ending(ref, JobState.CANCELLED, null, reason));
            case Outcome.RetryAfter retry
            when retry.delay().isZero() && ended.lease().spec().frame() == null -> again.add(ref);
            case Outcome.RetryAfter(var delay, String error) -> backs.add(later(ended, now + Micros.of(delay), error));
            case Outcome.RetryAt(var at, String error) -> backs.add(later(ended, Micros.of(at), error));
            case Outcome.HandedBack(String trouble)
            when trouble != null -> returned(ref, ended.lease().lease().lost(), trouble);
            case Outcome.HandedBack handedBack -> {
                queued.add(ref.job());
                backs.add(new GiveBack(ref, JobState.QUEUED, now, true, false, null, null));
            }
            case Outcome.Late(Duration lag) -> {
                queued.add(ref.job());
                String detail = "late start: its handler was reached %s after the grant, too late for its limits"
                        .formatted(Spans.text(lag.truncatedTo(ChronoUnit.MILLIS)));
                backs.add(new GiveBack(ref, JobState.QUEUED, now, true, false, null, detail));
            }
            case Outcome.PushedBack pushed -> backs.add(pushedBack(ended, pushed));
            case Outcome.Parked(ParkReason reason, String detail) ->
                backs.add(new GiveBack(ref, JobState.PARKED, now, true, false, reason, detail));
        }
    }

    /** A job goes back because of its worker's trouble: at once or after a pause, or not at all if that happens too often. */
    private void returned(LeaseRef ref, int lost, String trouble) {
        WorkerTrouble.Consequence consequence =
                WorkerTrouble.judge(past.getOrDefault(ref.job(), List.of()), lost, trouble);
        if (consequence.failure() != null) {
            givenUp.put(ref.job(), new Outcome.Failed(consequence.failure()));
            endings.add(new Ending(ref, JobState.FAILED, null, consequence.failure()));
            return;
        }
        JobState state = consequence.pauseMicros() > 0 ? JobState.SCHEDULED : JobState.QUEUED;
        if (state == JobState.QUEUED) {
            queued.add(ref.job());
        }
        backs.add(new GiveBack(ref, state, now + consequence.pauseMicros(), true, false, null, consequence.detail()));
    }

    /** If a gate or a limited queue of the job pushed back, the job keeps its place there. Otherwise it waits for a time. */
    private GiveBack pushedBack(EndedLease ended, Outcome.PushedBack pushed) {
        GateKey shut = LeaseRelease.shutBy(ended.lease().spec().lane(), pushed);
        boolean isHeldUp = shut != null
                && (shut.scope() == GateKey.Scope.GATE || tx.policies().isCounted(shut));
        Long told = Hold.waitMicros(pushed.retryAfter());
        long wait = Math.max(WAIT_MIN_MICROS, told == null ? 0 : told);
        if (isHeldUp) {
            queued.add(ended.lease().id());
        }
        return new GiveBack(
                ended.ref(),
                isHeldUp ? JobState.QUEUED : JobState.SCHEDULED,
                isHeldUp ? now : now + wait,
                true,
                false,
                null,
                pushed.reason());
    }

    /**
     * A step that is tried again starts in the next turn at the earliest: its run is charged at the end of this turn, and may not
     * be able to pay.
     */
    private GiveBack later(EndedLease ended, long runAt, String error) {
        boolean isStep = ended.lease().spec().frame() != null;
        JobState state = isStep || runAt > now ? JobState.SCHEDULED : JobState.QUEUED;
        if (state == JobState.QUEUED) {
            queued.add(ended.lease().id());
        }
        return new GiveBack(ended.ref(), state, Math.max(runAt, now), false, false, null, error);
    }

    /** Ends what has ended and puts back what goes back. Jobs that start again at once are only looked up. */
    void settle() {
        endWhatWasCancelled();
        for (Long job : (ended == null ? askEnds() : ended).get()) {
            accept(ReleasedRow.of(Objects.requireNonNull(byJob.get(job)).lease()));
            gone.add(job);
        }
        if (!backs.isEmpty()) {
            for (ReleasedRow row : tx.jobs().giveBack(worker, backs, now)) {
                accept(row);
                ringIfQueued(row);
            }
        }
        if (!again.isEmpty()) {
            for (ReleasedRow row : tx.jobs().held(worker, again)) {
                accept(row);
                restarting.add(row);
            }
        }
    }

    /**
     * A job that was asked to stop never starts again: an outcome that would put it back ends it instead. Read under the lock
     * of its row, so a cancel comes either before this or finds the job waiting.
     */
    private void endWhatWasCancelled() {
        List<LeaseRef> returning = new ArrayList<>(again);
        backs.forEach(back -> returning.add(back.lease()));
        if (returning.isEmpty()) {
            return;
        }
        tx.jobs().held(worker, returning);
        stopped.addAll(tx.jobs().toStop(worker, returning));
        returning.stream().filter(ref -> stopped.contains(ref.job())).forEach(ref -> {
            queued.remove(ref.job());
            endings.add(new Ending(ref, JobState.CANCELLED, null, "cancelled while it ran"));
        });
        again.removeIf(ref -> stopped.contains(ref.job()));
        backs.removeIf(back -> stopped.contains(back.lease().job()));
    }

    private void accept(ReleasedRow row) {
        accepted.add(row.job());
        released.add(row);
        EndedLease ended = asTaken(Objects.requireNonNull(byJob.get(row.job())));
        if (ended.lease().spec().frame() != null) {
            steps.add(StepOutcome.of(ended, stopped.contains(row.job())));
        }
        String error = errorOf(ended.outcome());
        if (error != null) {
            // Not the number in the row: if the attempt was given back, the row has one less by now.
            int number = ended.outcome() instanceof Outcome.HandedBack
                    ? ended.lease().lease().attempt()
                    : row.attempt();
            attempts.add(new NewAttempt(
                    row.job(),
                    number,
                    ended.lease().lease().epoch(),
                    worker,
                    row.startedAt(),
                    now,
                    wordFor(ended.outcome(), stopped.contains(row.job())),
                    error));
        }
    }

    private static String wordFor(Outcome outcome, boolean isStopped) {
        if (outcome instanceof Outcome.Failed) {
            return "failed";
        }
        if (isStopped) {
            return "cancelled";
        }
        return outcome instanceof Outcome.HandedBack ? WorkerTrouble.RETURNED : "retried";
    }

    private EndedLease asTaken(EndedLease sent) {
        Outcome instead = givenUp.get(sent.lease().id());
        return instead == null ? sent : sent.with(instead);
    }

    /** The outcomes of jobs that came back once too often, in place of those that their worker sent. */
    Map<Long, Outcome> givenUp() {
        if (givenUp.isEmpty()) {
            return Map.of();
        }
        Map<Long, Outcome> taken = new HashMap<>(givenUp);
        taken.keySet().retainAll(accepted);
        return taken;
    }

    private static @Nullable String errorOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed failed -> failed.error();
            case Outcome.RetryAfter retry -> retry.error();
            case Outcome.RetryAt retry -> retry.error();
            case Outcome.Succeeded done -> null;
            case Outcome.Cancelled cancelled -> null;
            case Outcome.HandedBack back -> back.trouble();
            case Outcome.Late late -> null;
            case Outcome.PushedBack pushed -> null;
            case Outcome.Parked parked -> null;
        };
    }

    private void ringIfQueued(ReleasedRow row) {
        if (queued.contains(row.job()) && !row.lane().isPlain()) {
            int passes = Objects.requireNonNull(byJob.get(row.job())).passes();
            doorbells.add(row.asHead(passes));
        }
    }

    /** All jobs that gave their places back, also those that want to start again at once. */
    List<ReleasedRow> released() {
        return released;
    }

    /** Jobs that have ended for good. */
    List<Long> gone() {
        return gone;
    }

    /** What came of steps of workflow runs. */
    List<StepOutcome> steps() {
        return steps;
    }

    /** How this one came back. */
    LeaseRelease returnOf(ReleasedRow row) {
        return LeaseRelease.of(Objects.requireNonNull(byJob.get(row.job())));
    }

    /** Jobs that want to start again at once. */
    List<ReleasedRow> restarting() {
        return restarting;
    }

    /** A job that may not start again at once goes back to its old place in its lane. */
    void denyRestart(ReleasedRow row) {
        EndedLease ended = Objects.requireNonNull(byJob.get(row.job()));
        tx.jobs()
                .giveBack(
                        worker,
                        List.of(new GiveBack(
                                ended.ref(), JobState.QUEUED, now, false, false, null, errorOf(ended.outcome()))),
                        now);
        if (!row.lane().isPlain()) {
            doorbells.add(row.asHead());
        }
    }

    /** Whether no job was put back. */
    boolean hasOnlyEnded() {
        return backs.isEmpty() && again.isEmpty();
    }

    LeaseRef refOf(ReleasedRow row) {
        return Objects.requireNonNull(byJob.get(row.job())).ref();
    }

    String typeOf(ReleasedRow row) {
        return Objects.requireNonNull(byJob.get(row.job())).lease().spec().type();
    }

    /** Appends failed attempts and doorbells. Returns whether a doorbell was rung. */
    boolean append() {
        if (!attempts.isEmpty()) {
            tx.history().addAttempts(attempts);
        }
        if (!doorbells.isEmpty()) {
            tx.lanes().ring(doorbells);
        }
        return !doorbells.isEmpty();
    }

    Set<Long> refused() {
        if (accepted.size() == byJob.size()) {
            return Set.of(); // only what was sent can be accepted
        }
        Set<Long> refused = new HashSet<>(byJob.keySet());
        refused.removeAll(accepted);
        return refused;
    }
}
