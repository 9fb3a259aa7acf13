package dev.headgate.proof;

import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.admission.QueueTurns;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Heartbeat;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.Serve;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker without threads that does what the test says. It remembers the leases it was given and believes in them, also
 * when the store has taken them away: that is what makes a zombie.
 */
@SuppressWarnings("exports") // hands internal types to our own tests; users need not name them
public final class ScriptedWorker {
    public static final Duration LEASE = Duration.ofSeconds(30);

    private static final int TURNS_MAX = 1000;

    private final Rig rig;
    private final String id;
    private final List<String> queues;
    private final Map<JobId, JobRow> held = new LinkedHashMap<>();
    private boolean isAlive;
    private QueueTurns serving = QueueTurns.OLDEST_FIRST;
    private @Nullable ScriptedRoom room;
    private boolean isFurther;
    private int reach;
    private int lostMax = WorkerRow.LOST_MAX;

    ScriptedWorker(Rig rig, String id, List<String> queues) {
        this.rig = rig;
        this.id = id;
        this.queues = queues;
    }

    /** Registers, or registers again after it was lost; {@code handlers} are the job types it can run. */
    public ScriptedWorker register(String... handlers) {
        WorkerRow row = new WorkerRow(id, id, queues, 1, 0, 0, List.of(), "", lostMax);
        rig.store().register(row, LEASE, List.of(handlers));
        isAlive = true;
        return this;
    }

    /** Registers anew and lets its jobs lose so many workers from now on. */
    public ScriptedWorker lostMax(int workers) {
        leave();
        lostMax = workers;
        return register();
    }

    public String id() {
        return id;
    }

    /** Serves its queues in this order from now on. */
    public ScriptedWorker serving(Serve order) {
        serving = new QueueTurns(order, queues);
        return this;
    }

    /** Starts only what fits from now on; what a type needs is given by its name. Tells the store so. */
    public ScriptedWorker room(Headroom headroom, Map<String, Needs> needs) {
        room = new ScriptedRoom(rig, headroom, needs);
        room.tell(id);
        return this;
    }

    /** Starts only what is expected to be done in this time. */
    public ScriptedWorker until(Duration time) {
        ScriptedRoom own = room == null ? new ScriptedRoom(rig, Headroom.system(), Map.of()) : room;
        own.until(Micros.of(time));
        room = own;
        return this;
    }

    /** Tells the store how much room it has now, as with a heartbeat. */
    public void tellRoom() {
        if (room != null) {
            room.tell(id);
        }
    }

    /** Learns what the store knows of job types, as at a start. */
    public void learn() {
        if (room != null) {
            room.learn();
        }
    }

    /** How many jobs its latest look passed over. */
    public int passedOver() {
        return room == null ? 0 : room.passed();
    }

    public List<String> queues() {
        return queues;
    }

    /** One turnaround: brings back what ended, asks for so many jobs. */
    public Turn turn(int slots, EndedLease... ended) {
        for (EndedLease each : ended) {
            if (room != null) {
                room.ended(JobId.of(each.lease().id()));
            }
        }
        JobFit fit = room == null || slots == 0 ? JobFit.ALWAYS : room.fit();
        Turn turn = rig.store()
                .turnaround(new TurnRequest(id, queues, slots, List.of(ended), Duration.ZERO, serving, fit, reach));
        serving = turn.left().serving();
        reach = turn.started().isEmpty() ? 2 * turn.denied() : 0;
        for (EndedLease each : ended) {
            if (!turn.busy().contains(each.lease().id())) {
                held.remove(JobId.of(each.lease().id()));
            }
        }
        turn.started().forEach(row -> held.put(JobId.of(row.id()), row));
        isFurther = room != null && slots > 0 && room.note(turn);
        return turn;
    }

    /** Claims as the claim loop does: turn after turn until the slots are full or nothing more can start now. */
    public List<JobId> claim(int slots) {
        List<JobId> started = new ArrayList<>();
        claim(slots, started);
        return started;
    }

    private @Nullable Duration claim(int slots, List<JobId> started) {
        for (int turns = 0; turns < TURNS_MAX; turns++) {
            Turn turn = turn(slots - started.size());
            started.addAll(ids(turn));
            boolean isMore = isFurther || Duration.ZERO.equals(turn.nextWake());
            boolean isDone = started.size() == slots || !isMore;
            if (isDone) {
                return turn.nextWake();
            }
        }
        throw new AssertionError(
                "worker %s: after %d turns the store still says 'again at once'".formatted(id, TURNS_MAX));
    }

    /** Claims all that may start now. */
    public List<JobId> claimAll() {
        return claim(10_000);
    }

    /** How long the store says to sleep, asked with a free slot when nothing can start; absent means until woken. */
    public @Nullable Duration sleep() {
        List<JobId> started = new ArrayList<>();
        Duration pause = claim(1, started);
        if (!started.isEmpty()) {
            throw new AssertionError("worker %s: expected nothing to start, got %s".formatted(id, started));
        }
        return pause;
    }

    private static List<JobId> ids(Turn turn) {
        return turn.started().stream().map(row -> JobId.of(row.id())).toList();
    }

    /** The lease as it was given, whatever has become of it. */
    public JobRow lease(JobId job) {
        JobRow lease = held.get(job);
        if (lease == null) {
            throw new IllegalArgumentException(
                    "worker %s: never got job %s, or has brought it back".formatted(id, job));
        }
        return lease;
    }

    public LeaseRef ref(JobId job) {
        return new LeaseRef(job.value(), lease(job).lease().epoch());
    }

    public List<JobId> holding() {
        return List.copyOf(held.keySet());
    }

    /** Brings one job back; false if the store no longer took it from this worker. */
    public boolean bring(JobId job, Outcome outcome) {
        return !turn(0, new EndedLease(lease(job), outcome)).refused().contains(job.value());
    }

    public boolean finish(JobId job) {
        return finish(job, null);
    }

    public boolean finish(JobId job, @Nullable String result) {
        return bring(job, new Outcome.Succeeded(result));
    }

    /** Finishes all it holds, in one turn. */
    public void finishAll() {
        turn(0, ended());
    }

    /** All it holds, done: to be brought back in a turn that claims too. */
    public EndedLease[] ended() {
        return held.values().stream()
                .map(lease -> new EndedLease(lease, new Outcome.Succeeded(null)))
                .toArray(EndedLease[]::new);
    }

    public boolean fail(JobId job, String error) {
        return bring(job, new Outcome.Failed(error));
    }

    public boolean retryAfter(JobId job, Duration delay) {
        return bring(job, new Outcome.RetryAfter(delay, "try again later"));
    }

    public boolean retryAt(JobId job, Instant at) {
        return bring(job, new Outcome.RetryAt(at, "try again then"));
    }

    /** Asks for an immediate retry in the slot the job has; answers what started in it. */
    public List<JobId> retryNow(JobId job) {
        return ids(turn(1, new EndedLease(lease(job), new Outcome.RetryAfter(Duration.ZERO, "try again"))));
    }

    public boolean handBack(JobId job) {
        return bring(job, new Outcome.HandedBack());
    }

    /** Gives a job back because of trouble of its own. */
    public boolean handBack(JobId job, String trouble) {
        return bring(job, new Outcome.HandedBack(trouble));
    }

    /** Tells the store that it is alive although its lease has ended; returns how many jobs that changed. */
    public int comeBack() {
        return rig.store().cameBack(id, held.keySet().stream().map(this::ref).toList());
    }

    /** Asks for a new start of a job that it runs, as one does that is too late for its own. */
    public Departure depart(JobId job) {
        Departure departure = rig.store().depart(lease(job));
        if (departure instanceof Departure.Granted granted) {
            held.put(job, granted.lease());
        }
        return departure;
    }

    public boolean cancelled(JobId job) {
        return bring(job, new Outcome.Cancelled("stopped as asked"));
    }

    public boolean park(JobId job, ParkReason reason) {
        return bring(job, new Outcome.Parked(reason, "set aside by a test"));
    }

    public boolean report(JobId job, @Nullable Progress progress, String... lines) {
        return rig.store().report(id, ref(job), progress, List.of(lines));
    }

    public Heartbeat heartbeat() {
        return rig.store()
                .heartbeat(id, LEASE, held.keySet().stream().map(this::ref).toList());
    }

    /** Extends its lease over this time, unless it has crashed or left. */
    public void stayAlive(Duration during) {
        if (isAlive) {
            rig.store().heartbeat(id, LEASE.plus(during), List.of());
        }
    }

    /** Goes silent: no more heartbeats. What it holds it still believes in. */
    public void crash() {
        isAlive = false;
    }

    /** Leaves in good order. */
    public void leave() {
        isAlive = false;
        rig.store().deregister(id);
    }
}
