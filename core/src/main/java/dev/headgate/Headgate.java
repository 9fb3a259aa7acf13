package dev.headgate;

import dev.headgate.event.Listener;
import dev.headgate.explain.Explanation;
import dev.headgate.handler.Around;
import dev.headgate.handler.BatchHandler;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.JobFunction;
import dev.headgate.handler.JobHandler;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.worker.BatchCollector;
import dev.headgate.internal.worker.CompletionSignals;
import dev.headgate.internal.worker.EventPublisher;
import dev.headgate.internal.worker.OffloadingBackend;
import dev.headgate.internal.worker.WorkerProcess;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.Attempt;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.job.LogLine;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.limiter.StoredLimiter;
import dev.headgate.spi.Backend;
import dev.headgate.status.Drift;
import dev.headgate.status.Overview;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store;
import dev.headgate.store.Store.ListenCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The front door: a job queue that knows what may start, when, and how much at once.
 *
 * <pre>{@code
 * static final JobType<Invoice> SEND = JobType.of("send-invoice", Invoice.class);
 *
 * try (Headgate headgate = Headgate.open("jdbc:sqlite:jobs.db")) {
 *     headgate.policies()
 *             .queue("mail", q -> q.maxInFlight(20).limit(rate(100).per(ofMinutes(1)).burst(10)))
 *             .gate("tenant:*", g -> g.limit(concurrency(3)));
 *     headgate.handle(SEND, (invoice, job) -> mailer.send(invoice));
 *     headgate.worker("mail").slots(50).start();
 *     JobId id = headgate.enqueue(SEND, new Invoice(7), job -> job.queue("mail").gate("tenant:acme")).id();
 *     System.out.println(headgate.explain(id));
 * }
 * }</pre>
 *
 * <p>{@code rate} and {@code concurrency} are static methods of {@link dev.headgate.limit.Limit}, {@code ofMinutes} is that of
 * {@link Duration}. What is stored as JSON (payloads, results, states of workflows) is best a record.
 *
 * <p>Methods that take the id of a job throw {@link UnknownJobException} if there is no such job; only {@link #find} returns
 * empty. Thread-safe. Every method that reads or writes the store may throw
 * {@link dev.headgate.store.StoreUnavailableException}.
 */
public final class Headgate implements Enqueuer, AutoCloseable {
    static final int GATES_SHOWN_MAX = 1_000;

    static {
        OpenStore.grant(headgate -> headgate.backend, (headgate, beside) -> headgate.intake.with(beside));
    }

    private final OffloadingBackend backend;
    private final WorkerProcess process;
    private final JobStore store;
    private final boolean isOwner;
    private final JsonCodec codec = new JsonCodec();
    private final Handlers handlers = new Handlers();
    private final CompletionSignals completions = new CompletionSignals();
    private final EventPublisher announcer = new EventPublisher();
    private final ProvidedPolicies provided;
    private final StoreEnqueuer intake;
    private final Awaiting awaiting;
    private final Workflows workflows;
    private final Machines machines;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();

    private Headgate(Backend opened, boolean isOwner) {
        this.backend = new OffloadingBackend(opened);
        this.process = WorkerProcess.of(opened);
        this.store = new JobStore(backend, process.ticker());
        this.isOwner = isOwner;
        this.provided = new ProvidedPolicies(store);
        this.intake = new StoreEnqueuer(new RequestContext(codec, store.enqueues()::policies), provided::enqueue);
        this.awaiting = new Awaiting(store, completions);
        this.workflows = new Workflows(new RunStore(backend), codec, handlers, awaiting);
        this.machines = new Machines(new RunStore(backend), codec, handlers);
    }

    /**
     * Opens the store behind a URL, creating it if need be; closing this closes it.
     *
     * @param url such as {@code jdbc:sqlite:jobs.db} or {@code jdbc:postgresql://host/database?user=…}
     */
    public static Headgate open(String url) {
        return StoreFinder.open(url, null, backend -> new Headgate(backend, true));
    }

    /**
     * The same for PostgreSQL behind a pooler that loses notifications, such as PgBouncer in transaction mode.
     *
     * @param listenUrl leads to the same database without that pooler; one connection listens there
     */
    public static Headgate open(String url, String listenUrl) {
        return StoreFinder.open(url, listenUrl, backend -> new Headgate(backend, true));
    }

    /**
     * Opens the store behind a URL to look at it: creates, migrates and changes nothing, needs no right to write, and waits for
     * no writer. What would write throws {@link IllegalStateException}.
     *
     * @throws dev.headgate.store.StoreRefusedException if there is no store, or one whose tables this version does not know
     */
    public static Headgate openToRead(String url) {
        return StoreFinder.openToRead(url, null, backend -> new Headgate(backend, true));
    }

    /** The same with a second URL, as in {@link #open(String, String)}; {@link #checkListening} uses it. */
    public static Headgate openToRead(String url, String listenUrl) {
        return StoreFinder.openToRead(url, listenUrl, backend -> new Headgate(backend, true));
    }

    /** Works with a store that the caller opened, and will close after this. */
    public static Headgate open(Store store) {
        return new Headgate(StoreFinder.backend(store), false);
    }

    /** The stored limits of queues and gates. */
    public Policies policies() {
        return new Policies(store, provided);
    }

    /** Shuts and opens gates, queues and job types by hand: holds and pauses. */
    public Controls controls() {
        return new Controls(store, "program");
    }

    /** Workflows: durable programs whose steps are jobs. */
    public Workflows workflows() {
        return workflows;
    }

    /** State machines: durable, with entry actions that are jobs. */
    public Machines machines() {
        return machines;
    }

    /** Schedules: jobs that are enqueued again and again. */
    public Schedules schedules() {
        return new Schedules(new ScheduleStore(backend), codec, provided, store.enqueues());
    }

    /** Registers the code that runs jobs of a type, in this process. Do so before a worker starts: it parks jobs without a handler. */
    public <T> Headgate handle(JobType<T> type, JobHandler<T> handler) {
        return handle(type, handler, HandlerOptions.DEFAULT);
    }

    /** The same with the most attempts, the retry policy, the timeout and the needs of its jobs. */
    public <T> Headgate handle(JobType<T> type, JobHandler<T> handler, HandlerOptions options) {
        return handleWithResult(type, JobFunction.of(handler), options);
    }

    /** Like {@link #handle}, for code whose return value is kept as the job's result; see {@link #result}. */
    public <T> Headgate handleWithResult(JobType<T> type, JobFunction<T> function) {
        return handleWithResult(type, function, HandlerOptions.DEFAULT);
    }

    /** The same with the most attempts, the retry policy, the timeout and the needs of its jobs. */
    public <T> Headgate handleWithResult(JobType<T> type, JobFunction<T> function, HandlerOptions options) {
        handlers.add(new Handler<>(type, function, options));
        return this;
    }

    /** Registers code that runs several jobs of a type at once. */
    public <T> Headgate handleBatch(JobType<T> type, BatchOptions options, BatchHandler<T> handler) {
        var gathering = new BatchCollector<>(type.name(), options, handler);
        handlers.add(new Handler<>(type, gathering::join, options.each(), gathering));
        return this;
    }

    /** Puts code around all handlers of this process, inside of what was put there before. */
    public Headgate around(Around around) {
        handlers.around(around);
        return this;
    }

    /** Calls the listener with what happens in the workers of this process, from now on and until this is closed. */
    public Headgate listen(Listener listener) {
        announcer.add(listener);
        return this;
    }

    @Override
    public <T> Enqueued enqueue(JobType<T> type, T payload, Consumer<JobOptions> options) {
        return intake.enqueue(type, payload, options);
    }

    @Override
    public <T> List<Enqueued> enqueueAll(JobType<T> type, List<T> payloads, BiConsumer<T, JobOptions> options) {
        return intake.enqueueAll(type, payloads, options);
    }

    @Override
    public Enqueued enqueueJson(String type, String json, Consumer<JobOptions> options) {
        return intake.enqueueJson(type, json, options);
    }

    @Override
    public List<Enqueued> enqueueAllJson(List<JsonJob> jobs) {
        return intake.enqueueAllJson(jobs);
    }

    /**
     * Returns an {@link Enqueuer} that works inside the caller's own transaction, on its connection alone: the jobs appear if and when it commits.
     *
     * @param caller such as {@code JdbcTransaction.of(connection)}: a connection to the database of this store, with auto-commit off
     */
    public Enqueuer in(CallerTransaction caller) {
        var context = new RequestContext(codec, () -> store.enqueues().policies(caller));
        return new StoreEnqueuer(context, (order, beside) -> {
            provided.requireStored(caller, order.jobs());
            return store.enqueue(caller, order.jobs());
        });
    }

    /** A worker for these queues; {@code site:*} or {@code *} is all that begin so, also later. {@link WorkerBuilder#start} starts it. */
    public WorkerBuilder worker(String... queues) {
        return new WorkerBuilder(List.of(queues), settings -> {
            policies().storeDefaults(handlers);
            Worker worker = new Worker(process.start(settings, store, handlers, codec, completions, announcer));
            workers.removeIf(Worker::isStopped);
            workers.add(worker);
            return worker;
        });
    }

    /**
     * Gates as a limiter for code that is not a job: their stored limits, shared with the jobs that name them and with
     * every process. Of several gates it takes together or not at all, and a hold shuts all of them.
     *
     * @param gate the one that a rejection shuts
     */
    public StoredLimiter limiter(String gate, String... more) {
        return GateLimiter.of(new PermitStore(backend), gate, more);
    }

    /** The same for queues, or for queues and gates: {@code limiter(GateKey.queue("mail"))} takes of what the jobs of mail take. */
    public StoredLimiter limiter(GateKey first, GateKey... more) {
        return GateLimiter.of(new PermitStore(backend), first, more);
    }

    /** Looks a job up, live or in history; empty if there is no such job. */
    public Optional<JobStatus> find(JobId id) {
        return Optional.ofNullable(store.find(id));
    }

    /** Where a job stands, live or in history. */
    public JobStatus status(JobId id) {
        return UnknownJobException.ifAbsent(id, store.find(id));
    }

    /** Lists live and ended jobs, newest first: {@code list(JobFilter.all().queue("mail").state(FAILED))}. */
    public List<JobStatus> list(JobFilter filter) {
        return store.list(filter);
    }

    /**
     * The same in one short transaction. It looks at a bounded number of jobs: if few of many match, the page may hold fewer
     * than the filter's limit, and {@link JobPage#next} says where to go on.
     */
    public JobPage page(JobFilter filter) {
        return store.page(filter);
    }

    /** Attempts that did not succeed, oldest first. */
    public List<Attempt> attempts(JobId id) {
        return ofKnown(id, store.attempts(id));
    }

    /** What its handler logged, oldest first. */
    public List<LogLine> log(JobId id) {
        return ofKnown(id, store.log(id));
    }

    /** Nothing found can mean that there is no such job. */
    private <T> List<T> ofKnown(JobId id, List<T> found) {
        if (found.isEmpty()) {
            status(id);
        }
        return found;
    }

    /** Says why the job is where it is, and when it can start. */
    public Explanation explain(JobId id) {
        return UnknownJobException.ifAbsent(id, store.explain(id));
    }

    /**
     * Waits until the job has ended, in whatever process it runs; empty if it has not within {@code timeout}.
     *
     * @throws UnknownJobException if there is no such job, or it is deleted meanwhile
     */
    public Optional<JobStatus> await(JobId id, Duration timeout) throws InterruptedException {
        return awaiting.await(id, timeout);
    }

    /**
     * What the job's function returned; absent if that was nothing.
     *
     * @throws IllegalStateException if the job has not succeeded
     * @throws dev.headgate.job.UnreadableJsonException if the result does not fit the type
     * @throws UnknownJobException if there is no such job
     */
    public <T> Optional<T> result(JobId id, Class<T> type) {
        return awaiting.result(status(id), codec, type);
    }

    /** The jobs that this one waits for or has waited for, in the order in which they were given. */
    public List<Dependency> dependencies(JobId id) {
        return ofKnown(id, store.dependencies().of(id));
    }

    /** Ends a waiting job as CANCELLED, or asks the worker of a running one to stop it. */
    public OperationResult cancel(JobId id) {
        return UnknownJobException.ifAbsent(id, store.cancel(id));
    }

    /** Queues a scheduled, parked, failed or cancelled job again now; one that had ended gets all its attempts anew. */
    public OperationResult retry(JobId id) {
        return UnknownJobException.ifAbsent(id, store.retry(id));
    }

    /**
     * Moves a waiting job to another time.
     *
     * @param at when it is due; null means now
     * @throws UnknownJobException if there is no such job
     */
    public OperationResult reschedule(JobId id, @Nullable Instant at) {
        Problems.check("reschedule of job " + id, faults -> JobOptions.checkInstant(faults, "at", at));
        return UnknownJobException.ifAbsent(id, store.reschedule(id, at));
    }

    /** Gives a waiting job another priority, -1000 to 1000, and the place that it would have had with it. */
    public OperationResult changePriority(JobId id, int priority) {
        return UnknownJobException.ifAbsent(id, store.changePriority(id, priority));
    }

    /** Deletes a job in any state, with its history; a running one is stopped, and its places are free at once. */
    public OperationResult delete(JobId id) {
        return UnknownJobException.ifAbsent(id, store.delete(id));
    }

    /** Brings failed or cancelled jobs that match back to their queues, up to the filter's limit; returns how many. */
    public int redrive(JobFilter filter) {
        return store.redrive(filter);
    }

    /** Everything at a glance: jobs by queue and state, gates with their figures, workers. */
    public Overview overview() {
        return store.overview(GATES_SHOWN_MAX);
    }

    /** How much there is to do, and how much of it more slots, processes or machines would help with. */
    public Demand demand() {
        return new Demand(new BacklogStore(backend), new ResourceStore(backend));
    }

    /** What happened over time, by queue, job type and gate. */
    public Figures figures() {
        return new Figures(backend);
    }

    /**
     * Everything that waits or runs and what gates remember, to be played on in virtual time. Reads only.
     *
     * @throws IllegalArgumentException if there are more than {@code jobsMax} jobs
     */
    public Simulation simulate(int jobsMax) {
        return new Simulation(store.snapshot(jobsMax));
    }

    /** Evidence from the journals of gates that their limits were kept. */
    public Evidence evidence() {
        return new Evidence(backend, store);
    }

    /** Gates whose noted use differs from what running jobs hold; anything but an empty list is a bug in Headgate. */
    public List<Drift> recount() {
        return store.recount();
    }

    /** Open gates and fair queues with jobs that nothing would wake; anything but an empty list is a bug in Headgate. Changes nothing. */
    public List<GateKey> strandedLines() {
        return new StrandedLines(backend).find();
    }

    /** Deletes jobs and runs that ended longer ago, but for what live ones need; returns how many jobs. Workers do it by themselves. */
    public int prune(Duration olderThan) {
        Problems.check("prune", faults -> JobOptions.checkSpan(faults, "olderThan", olderThan, true));
        store.pruneGates();
        store.pruneRecords();
        return store.prune(olderThan);
    }

    /** Finds out whether this process would hear at once of what other processes enqueue; may take some seconds. */
    public ListenCheck checkListening() {
        return backend.checkListening();
    }

    /** What store this is, for people: kind, version and place, without secrets. */
    public String describe() {
        return backend.describe();
    }

    /** Stops all workers in good order, at the same time, and closes the store if this opened it. */
    @Override
    public void close() {
        workers.forEach(Worker::beginStop);
        workers.forEach(Worker::stop);
        announcer.close();
        if (isOwner) {
            backend.close();
        } else {
            backend.release();
        }
    }
}
