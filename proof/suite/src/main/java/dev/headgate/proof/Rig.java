package dev.headgate.proof;

import dev.headgate.explain.Explanation;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import dev.headgate.status.Overview.GateView;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A store, a clock that obeys, and scripted workers: no thread, no sleep, every step is told. Tests read like prose.
 *
 * <pre>{@code
 * rig.policy("queue mail", "rate 1/1s burst 1");
 * JobId first = rig.enqueue(job("mail"));
 * JobId second = rig.enqueue(job("mail"));
 * ScriptedWorker worker = rig.worker("mail");
 * assertThat(worker.claim(2)).containsExactly(first);
 * rig.advance(Duration.ofSeconds(1));
 * assertThat(worker.claim(2)).containsExactly(second);
 * }</pre>
 */
@SuppressWarnings("exports") // hands internal types to our own tests; users need not name them
public final class Rig implements AutoCloseable {
    private final VirtualTime time;
    private final List<ScriptedWorker> workers = new ArrayList<>();
    private JobStore store;
    private Margin margin = Margin.AUTO;

    public Rig(Backend backend, VirtualTime time) {
        this.time = time;
        this.store = new JobStore(backend);
    }

    public JobStore store() {
        return store;
    }

    /** Schedules of the same store; {@code schedules().fire()} is what a worker does when one is due. */
    public ScheduleStore schedules() {
        return new ScheduleStore(store.backend());
    }

    public VirtualTime time() {
        return time;
    }

    /** What a process of this world has for measuring: moves as its clock does. */
    public Ticker ticker() {
        return () -> time.micros() * 1_000;
    }

    /** Goes on with another backend over the same data, as after a restart. Workers live on. */
    public void reopenedAs(Backend backend) {
        store = new JobStore(backend);
    }

    /** Sets limits: {@code policy("gate tenant:*", "concurrency 3; rate 10/1s")}. Empty limits remove the policy. */
    public Rig policy(String gate, String limits) {
        GatePolicy policy = GatePolicy.parse(limits);
        List<Limit> all = policy.limits().stream()
                .map(limit -> limit.margin().equals(Margin.AUTO) ? limit.margin(margin) : limit)
                .toList();
        store.setPolicy(key(gate), new GatePolicy(all, policy.shadows(), policy.backOff(), policy.options()));
        return this;
    }

    /**
     * Limits that say nothing else have this margin from now on. Whenever time moves on, it moves on by its span more: what
     * is due without a margin is due then.
     */
    public Rig margin(Margin other) {
        margin = other;
        return this;
    }

    /** Reads {@code queue mail} or {@code gate openai}. */
    public static GateKey key(String text) {
        int space = text.indexOf(' ');
        return new GateKey(GateKey.Scope.parse(text.substring(0, space)), text.substring(space + 1));
    }

    public JobId enqueue(Jobs.Draft draft) {
        return JobId.of(insert(draft).id());
    }

    /** Enqueues in one transaction. */
    public List<JobId> enqueue(Jobs.Draft first, Jobs.Draft second, Jobs.Draft... more) {
        return enqueueAll(Stream.concat(Stream.of(first, second), Arrays.stream(more))
                .map(Jobs.Draft::build)
                .toList());
    }

    /** Enqueues so many alike, in one transaction. */
    public List<JobId> enqueue(int count, Jobs.Draft draft) {
        return enqueueAll(java.util.Collections.nCopies(count, draft.build()));
    }

    private List<JobId> enqueueAll(List<NewJob> jobs) {
        return store.enqueue(jobs).stream().map(row -> JobId.of(row.id())).toList();
    }

    /** Enqueues and tells whether the job is a new one. */
    public Inserted insert(Jobs.Draft draft) {
        return store.enqueue(List.of(draft.build())).getFirst();
    }

    /** Registers a worker of these queues that knows every handler. */
    public ScriptedWorker worker(String... queues) {
        return register("worker-" + (workers.size() + 1), queues);
    }

    public ScriptedWorker register(String name, String... queues) {
        ScriptedWorker worker = new ScriptedWorker(this, name, List.of(queues));
        workers.add(worker);
        return worker.register();
    }

    /** Moves time on; workers that have not crashed keep their leases all the while. */
    public Rig advance(Duration by) {
        Duration further = by.plus(Micros.duration(margin.micros()));
        for (ScriptedWorker worker : workers) {
            worker.stayAlive(further);
        }
        time.advance(further);
        return this;
    }

    /** Lets a worker die and its lease run out, and takes its jobs back. */
    public void lose(ScriptedWorker worker) {
        worker.crash();
        advance(ScriptedWorker.LEASE);
        store.reap();
    }

    public JobStatus status(JobId id) {
        return Objects.requireNonNull(store.find(id), () -> "job %s is not there".formatted(id));
    }

    public JobState state(JobId id) {
        return status(id).state();
    }

    public Explanation explain(JobId id) {
        return Objects.requireNonNull(store.explain(id), () -> "job %s is not there".formatted(id));
    }

    /** The figures of one gate or queue, such as {@code gate openai}. */
    public GateView gate(String gate) {
        GateKey key = key(gate);
        return store.overview(1000).gates().stream()
                .filter(view -> view.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no row yet".formatted(key)));
    }

    /** How many places of a gate or queue are taken. */
    public long leases(String gate) {
        return gate(gate).leases();
    }

    /** How many jobs of a queue are in this state, live or in history. */
    public long count(String queue, JobState state) {
        return store.overview(1).jobs().stream()
                .filter(count -> count.queue().equals(queue) && count.state() == state)
                .mapToLong(count -> count.jobs())
                .sum();
    }

    @Override
    public void close() {
        store.close();
    }
}
