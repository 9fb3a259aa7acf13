package dev.headgate.internal.figure;

import dev.headgate.explain.Decision.Blocked;
import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigureKind;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Chance;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.JobRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts in memory what the turns of this process do, ten seconds of store time after the other. An interval that is over is a row,
 * which goes to the store with the next turn or heartbeat ({@link FigureFlush}). Thread-safe.
 *
 * <p>Design note. Rows are only ever appended, each by one process, so no two writers meet. What is lost when a process is killed
 * is what it has not written yet: the interval that is not over, and the one before it if no turn and no heartbeat came since.
 */
public final class FigureRecorder {
    /** How long an interval is, in microseconds. */
    static final long SPAN = Micros.of(FigureFilter.FINE);

    /** How many rows are kept while the store does not take them; the oldest go first. */
    private static final int UNSENT_MAX = 360;

    /** How many rows one transaction takes along. */
    private static final int SENT_MAX = 30;

    /** A worker whose lease is not known is taken for gone after so long without a turn. */
    private static final long HEARD_FOR = 300 * Micros.PER_SECOND;

    private final String id;
    private final Map<Shape.Key, Shape> shapes = new HashMap<>();
    private final Map<String, Running> running = new HashMap<>();
    private final Deque<FigureRow> unsent = new ArrayDeque<>();
    private GateNames names = new GateNames(PolicyBook.EMPTY);
    private Tally tally = new Tally();
    private long open = Long.MIN_VALUE;
    private long number;

    /** What a worker runs. */
    private static final class Running {
        private final Map<Shape.Key, int[]> jobs = new HashMap<>();
        private long until;
    }

    public FigureRecorder() {
        this.id = Chance.SYSTEM.id();
    }

    /** To be used by one transaction. */
    public FigureFlush flush() {
        return new FigureFlush(this);
    }

    /** Counts what a turn has done that is committed. */
    public synchronized void turned(TurnRequest request, Turn turn) {
        Turn.Noted noted = turn.noted();
        moveTo(noted.at());
        follow(noted.book());
        Running worker = running.computeIfAbsent(request.worker(), fresh -> new Running());
        worker.until = Math.max(worker.until, noted.at() + HEARD_FOR);
        Set<Long> refused = turn.refused();
        for (EndedLease sent : turn.taken(request.ended())) {
            Shape.Key key = Shape.Key.of(sent.lease());
            runs(worker, key, -1);
            if (!refused.contains(sent.lease().id())) {
                ended(shape(key), turn.asTaken(sent), noted.at());
            }
        }
        for (JobRow job : turn.started()) {
            Shape.Key key = Shape.Key.of(job);
            runs(worker, key, 1);
            shape(key).started(job);
        }
        noted.refusals().forEach(this::refused);
    }

    private static void runs(Running worker, Shape.Key key, int more) {
        int[] jobs = worker.jobs.get(key);
        if (jobs != null) {
            jobs[0] = Math.max(0, jobs[0] + more); // what another process had started is not known here
        } else if (more > 0) {
            worker.jobs.put(key, new int[] {more});
        }
    }

    private static void ended(Shape shape, EndedLease ended, long now) {
        Long startedAt = ended.lease().lease().startedAt();
        shape.ended(countOf(ended.outcome()), startedAt == null ? 0 : now - startedAt);
    }

    private static Count countOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded done -> Count.SUCCEEDED;
            case Outcome.Failed failed -> Count.FAILED;
            case Outcome.RetryAfter retry -> Count.RETRIED;
            case Outcome.RetryAt retry -> Count.RETRIED;
            case Outcome.Cancelled cancelled -> Count.CANCELLED;
            case Outcome.HandedBack back -> Count.HANDED_BACK;
            case Outcome.Late late -> Count.HANDED_BACK;
            case Outcome.PushedBack pushed -> Count.HANDED_BACK;
            case Outcome.Parked parked -> Count.HANDED_BACK;
        };
    }

    private void refused(Blocked blocked) {
        GateKey at = blocked.gate();
        String rule = blocked.cause().rule();
        if (at.scope() == GateKey.Scope.QUEUE) {
            tally.cell(new Subject(FigureKind.QUEUE, at.name())).refused(rule, 1);
        } else {
            names.gate(at.name()).forEach(subject -> tally.cell(subject).refused(rule, 1));
        }
    }

    private Shape shape(Shape.Key key) {
        return shapes.computeIfAbsent(key, fresh -> new Shape(fresh, names, tally));
    }

    /** A worker lives at least until then: what it runs is in use. */
    public synchronized void heard(String worker, long until) {
        Running known = running.get(worker);
        if (known != null) {
            known.until = until;
        }
    }

    /** A worker is gone, and what it ran is in use no more. */
    public synchronized void gone(String worker) {
        running.remove(worker);
    }

    /** Hands out rows of intervals that are over by now. They are to be written, or {@link #putBack put back}. */
    synchronized List<FigureRow> take(long now) {
        moveTo(now);
        List<FigureRow> rows = new ArrayList<>();
        while (!unsent.isEmpty() && rows.size() < SENT_MAX) {
            rows.add(unsent.removeFirst());
        }
        return rows;
    }

    /** The same with what has been counted of the interval that is not over. */
    synchronized List<FigureRow> takeAll(long now) {
        moveTo(now);
        seal(false);
        List<FigureRow> rows = new ArrayList<>(unsent);
        unsent.clear();
        return rows;
    }

    synchronized void putBack(List<FigureRow> rows) {
        for (FigureRow row : rows.reversed()) {
            if (unsent.size() < UNSENT_MAX) {
                unsent.addFirst(row);
            }
        }
    }

    /** Under another version of the policies gates may be counted under other names. */
    private void follow(PolicyBook book) {
        if (book.version() != names.version()) {
            names = new GateNames(book);
            shapes.clear();
        }
    }

    /** Ends the open interval if this instant is after it, and each after that as long as something runs. */
    private void moveTo(long at) {
        if (open == Long.MIN_VALUE) {
            open = begin(at);
        }
        if (at >= open + SPAN) {
            running.values().removeIf(worker -> worker.until < at);
        }
        for (int sealed = 0; at >= open + SPAN; sealed++) {
            seal(true);
            boolean isGoingOn = sealed < UNSENT_MAX && !running.isEmpty();
            open = isGoingOn ? open + SPAN : begin(at);
        }
    }

    static long begin(long at) {
        return Math.floorDiv(at, SPAN) * SPAN;
    }

    private void seal(boolean isOver) {
        if (isOver) {
            running.values().forEach(worker -> {
                worker.jobs.values().removeIf(jobs -> jobs[0] == 0);
                worker.jobs.forEach((key, jobs) -> shape(key).inUse(jobs[0]));
            });
        }
        if (!tally.isEmpty()) {
            unsent.addLast(new FigureRow(
                    Grain.PART, open, id + "/" + ++number, tally.trim().text()));
            tally = new Tally();
            if (unsent.size() > UNSENT_MAX) {
                unsent.removeFirst();
            }
        }
        shapes.clear();
    }
}
