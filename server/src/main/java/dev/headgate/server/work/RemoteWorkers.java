package dev.headgate.server.work;

import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Heartbeat;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.resource.PassedOver;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.job.Outcome;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.Margin;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.work.RemoteTurn.Answer;
import dev.headgate.server.work.RemoteTurn.Ended;
import dev.headgate.server.work.RemoteTurn.How;
import dev.headgate.server.work.RemoteTurn.Note;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Turns, heartbeats and waits of workers that run elsewhere. What they hold stands in the store, so any server can serve them and the
 * death of one loses nothing; only how to look for jobs is remembered here, and may be forgotten.
 *
 * <p>Design note: a lost answer. Each turn says which leases the worker has. What the store says it holds beyond these was granted
 * by a call whose answer was lost: it is granted again, or goes back if a limit counted its start and too much time may have passed. So a
 * call can be repeated as often as one likes, and {@code slots} bounds what a late copy of it could take. A late copy does not know
 * what was granted after it was sent, and would give that back while it runs: so turns of one worker come one after another, and one
 * whose number is not greater than the last is refused. A copy that waits in another server is not noticed.
 */
public final class RemoteWorkers implements AutoCloseable {
    private static final int WORKERS_MAX = 10_000;
    private static final int ERROR_MAX = 16_000;
    private static final int REASON_MAX = 500;

    private final JobStore store;
    private final WakeHub hub;
    private final Map<String, Looks> looks = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Looks> eldest) {
            return size() > WORKERS_MAX;
        }
    });

    /** How one worker looks for jobs: in which order its queues come, and what it has passed over. */
    private static final class Looks {
        private final ReentrantLock lock = new ReentrantLock();
        private final PassedOver passedOver = new PassedOver();
        private QueueTurns serving = QueueTurns.OLDEST_FIRST;
        private long latest;
    }

    /** The workers of this store. */
    public RemoteWorkers(Backend backend) {
        this.store = new JobStore(backend);
        this.hub = new WakeHub(backend);
    }

    /** Lets a worker in; jobs that waited because no worker had one of these types come back to their queues. */
    public void register(
            String worker, String name, List<String> queues, int slots, Duration lease, Collection<String> types) {
        store.register(new WorkerRow(worker, name, queues, slots, 0, 0, List.of()), lease, types);
    }

    /**
     * Takes what has ended and grants what may start.
     *
     * @throws ProblemException if a later turn of this worker came before it
     */
    public Answer turn(String worker, RemoteTurn said) {
        Looks mine = looks.computeIfAbsent(worker, one -> new Looks());
        mine.lock.lock();
        try {
            if (said.number() > 0 && said.number() <= mine.latest) {
                throw new ProblemException(
                        Problem.WRONG_STATE,
                        "field 'turn': expected more than %d, which has come already, got %d"
                                .formatted(mine.latest, said.number()));
            }
            mine.latest = Math.max(mine.latest, said.number());
            return turn(worker, said, mine);
        } finally {
            mine.lock.unlock();
        }
    }

    private Answer turn(String worker, RemoteTurn said, Looks mine) {
        String mark = hub.mark();
        long asked = Ticker.SYSTEM.nanos();
        Map<Long, JobRow> held = new HashMap<>();
        store.holding(worker).forEach(row -> held.put(row.id(), row));
        Set<Long> refused = new HashSet<>();
        List<EndedLease> ended = new ArrayList<>();
        for (Ended each : said.ended()) {
            JobRow row = held.get(each.lease().job());
            if (row == null || row.lease().epoch() != each.lease().epoch()) {
                refused.add(each.lease().job());
            } else {
                ended.add(ended(row, each));
                held.remove(row.id());
            }
        }
        List<JobRow> granted = new ArrayList<>();
        said.held().forEach(lease -> {
            JobRow row = held.get(lease.job());
            if (row != null && row.lease().epoch() == lease.epoch()) {
                held.remove(lease.job());
            }
        });
        // What is left was granted by a call whose answer was lost.
        for (JobRow row : held.values()) {
            if (row.lease().margin() > 0) {
                ended.add(new EndedLease(row, new Outcome.Late(Duration.ofNanos(Ticker.SYSTEM.nanos() - asked))));
            } else {
                granted.add(row);
            }
        }
        int free = Math.max(0, Math.min(said.free(), said.slots() - said.held().size()) - granted.size());
        Turn turn = store.turnaround(new TurnRequest(
                worker,
                said.queues(),
                free,
                ended,
                Duration.ZERO,
                mine.serving,
                new TypeFit(said.types(), mine.passedOver),
                0));
        mine.serving = turn.left().serving();
        Turn.Passed passed = turn.left().passed();
        mine.passedOver.note(passed.jobs(), passed.isBeyondSight(), Ticker.SYSTEM.nanos());
        granted.addAll(turn.started());
        refused.addAll(turn.ends().refused());
        return answer(worker, said, turn, granted, refused, mark);
    }

    private Answer answer(
            String worker, RemoteTurn said, Turn turn, List<JobRow> granted, Set<Long> refused, String mark) {
        Map<Long, Duration> startWithin = new HashMap<>();
        for (JobRow row : turn.started()) {
            if (row.lease().margin() > 0) {
                startWithin.put(
                        row.id(),
                        Micros.duration(Margin.startAllowance(row.lease().margin())));
            }
        }
        List<Long> stop = said.held().isEmpty() ? List.of() : store.toStop(worker, said.held());
        return new Answer(granted, startWithin, refused, turn.ends().busy(), stop, turn.nextWake(), mark);
    }

    private static EndedLease ended(JobRow row, Ended said) {
        Duration lag = said.lag();
        return new EndedLease(row, outcome(row, said), said.settled(), null, lag == null ? null : Micros.of(lag), 0);
    }

    private static Outcome outcome(JobRow row, Ended said) {
        boolean isLast = row.lease().attempt() >= row.spec().tries().attemptsMax();
        return switch (said.how()) {
            case How.Succeeded(String result) -> new Outcome.Succeeded(result);
            case How.Failed(String error, boolean isPermanent) ->
                isPermanent || isLast ? new Outcome.Failed(cut(error)) : retry(row, cut(error));
            case How.Retry(Duration delay, var at, String error) -> {
                if (isLast) {
                    yield new Outcome.Failed(cut(error));
                }
                yield at != null
                        ? new Outcome.RetryAt(at, cut(error))
                        : new Outcome.RetryAfter(delay == null ? Duration.ZERO : delay, cut(error));
            }
            case How.PushedBack(String gate, Duration retryAfter, String reason) ->
                new Outcome.PushedBack(
                        gate,
                        retryAfter,
                        ThreadLocalRandom.current().nextInt(BackOff.JITTER_FULL),
                        Text.storable(reason, REASON_MAX));
            case How.Cancelled cancelled -> new Outcome.Cancelled("cancelled while it ran");
            case How.Returned returned -> new Outcome.HandedBack();
            case How.Late late -> new Outcome.Late(said.lag() == null ? Duration.ZERO : said.lag());
        };
    }

    /** When the job's own policy says, or the one of handlers that have none. */
    private static Outcome retry(JobRow row, String error) {
        String own = row.spec().tries().retry();
        RetryPolicy policy = own == null ? RetryPolicy.DEFAULT : RetryPolicy.parse(own);
        Optional<Duration> delay =
                policy.delay(row.lease().attempt(), ThreadLocalRandom.current().nextLong());
        return delay.isPresent() ? new Outcome.RetryAfter(delay.get(), error) : new Outcome.Failed(error);
    }

    private static String cut(String error) {
        return Text.storable(error, ERROR_MAX);
    }

    /** Stores what handlers told. Returns the jobs whose lease was no longer this worker's. */
    public Set<Long> note(String worker, List<Note> notes) {
        Set<Long> refused = new HashSet<>();
        for (Note note : notes) {
            if (!store.report(worker, note.lease(), note.progress(), note.lines())) {
                refused.add(note.lease().job());
            }
        }
        return refused;
    }

    /**
     * Keeps the worker alive, and takes back what dead workers held. Returns the jobs that it should stop.
     *
     * @throws dev.headgate.internal.lease.WorkerLostException if its lease has ended
     */
    public List<Long> heartbeat(String worker, Duration lease, List<LeaseRef> held) {
        Heartbeat answer = store.heartbeat(worker, lease, held);
        if (answer.isReapDue()) {
            store.reap();
        }
        return answer.toStop();
    }

    /** Takes a worker out in good order: what it still holds goes back without using up an attempt. */
    public void leave(String worker) {
        looks.remove(worker);
        store.deregister(worker);
    }

    /**
     * Waits until a turn may bring something; grants nothing, because a grant to a connection that has died would be lost for the
     * length of a lease. Returns false if this time passed without.
     *
     * @param mark of the last turn; absent if there was none
     */
    public boolean await(List<String> queues, @Nullable String mark, Duration most) throws InterruptedException {
        return hub.await(queues, mark == null ? "" : mark, most);
    }

    @Override
    public void close() {
        hub.close();
    }
}
