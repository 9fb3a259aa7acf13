package dev.headgate.cli.demo;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.window;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.demo.DemoResult.TenantOutcome;
import dev.headgate.cli.display.Wording;
import dev.headgate.explain.Explanation;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.GatePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One run of the demo: the gates, the worker, the tenants' traffic and the result. */
final class DemoRun implements AutoCloseable {
    static final String QUEUE = "demo";
    static final String PROVIDER = "provider";
    static final int TENANT_AT_ONCE = 3;
    static final List<String> GATES = List.of(PROVIDER, "tenant:*");

    private static final JobType<Call> CALL = JobType.of("demo-call", Call.class);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final int SLOTS = 8;

    private final Headgate headgate;
    private final Provider provider;
    private final List<Tenant> tenants;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    private final Map<String, AtomicInteger> done = new ConcurrentHashMap<>();
    private final Map<String, List<JobId>> jobs = new ConcurrentHashMap<>();
    private final List<Thread> users = new ArrayList<>();
    private final CountDownLatch left;
    private @Nullable Worker worker;
    private volatile boolean isClosed;

    /** The payload: the calling tenant, and the number of the call. */
    record Call(String tenant, int number) {}

    DemoRun(Headgate headgate, Provider provider, List<Tenant> tenants) {
        this.headgate = headgate;
        this.provider = provider;
        this.tenants = tenants;
        this.left = new CountDownLatch(tenants.stream().mapToInt(Tenant::calls).sum());
        for (Tenant tenant : tenants) {
            done.put(tenant.name(), new AtomicInteger());
            jobs.put(tenant.name(), new ArrayList<>());
        }
    }

    /** The limits that the demo stores under this name: for the provider exactly the figures that it enforces. */
    static GatePolicy policy(String name) {
        return name.equals(PROVIDER)
                ? GatePolicy.of(
                        concurrency(Provider.AT_ONCE),
                        window(Provider.IN_WINDOW).per(Provider.WINDOW))
                : GatePolicy.of(concurrency(TENANT_AT_ONCE));
    }

    /** Stores the limits, wakes up the network and starts all parts. */
    void start() throws InterruptedException {
        for (String name : GATES) {
            GatePolicy policy = policy(name);
            headgate.policies().replacing().gate(name, gate -> policy.limits().forEach(gate::limit));
        }
        headgate.handle(CALL, (call, job) -> call(call));
        openConnections();
        worker = headgate.worker(QUEUE).slots(SLOTS).name("demo").start();
        tenants.stream().filter(tenant -> tenant.users() == 0).forEach(this::enqueueAll);
        for (Tenant tenant : tenants) {
            AtomicInteger next = new AtomicInteger();
            for (int user = 0; user < tenant.users(); user++) {
                users.add(Thread.ofPlatform().daemon().start(() -> callOneAfterAnother(tenant, next)));
            }
        }
    }

    /** The first request of a client takes far longer than the next; it should not be one that counts. */
    private void openConnections() throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < Provider.AT_ONCE; i++) {
            callers.add(Thread.startVirtualThread(() -> {
                try {
                    get(provider.at("ready"));
                } catch (Exception unreachable) {
                    // A call that counts will meet the same fault and report it; or the demo was stopped.
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void call(Call call) throws Exception {
        int status = get(provider.at("call/%s/%d".formatted(call.tenant(), call.number())));
        if (status != 200) {
            throw RetryLater.after(Duration.ofSeconds(1), "the provider answered " + status);
        }
        done.getOrDefault(call.tenant(), new AtomicInteger()).incrementAndGet();
        left.countDown();
    }

    private int get(URI uri) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(CALL_TIMEOUT).build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private void enqueueAll(Tenant tenant) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < tenant.calls(); i++) {
            calls.add(new Call(tenant.name(), i));
        }
        List<Enqueued> enqueued = headgate.enqueueAll(
                CALL, calls, (call, job) -> job.queue(QUEUE).gate(PROVIDER).gate(tenant.gate()));
        remember(tenant, enqueued.stream().map(Enqueued::id).toList());
    }

    private void callOneAfterAnother(Tenant tenant, AtomicInteger next) {
        try {
            for (int i = next.getAndIncrement(); i < tenant.calls() && !isClosed; i = next.getAndIncrement()) {
                JobId id = headgate.enqueue(
                                CALL,
                                new Call(tenant.name(), i),
                                job -> job.queue(QUEUE).gate(PROVIDER).gate(tenant.gate()))
                        .id();
                remember(tenant, List.of(id));
                headgate.await(id, Duration.ofMinutes(5));
            }
        } catch (InterruptedException | RuntimeException stopped) {
            if (!isClosed) {
                throw new IllegalStateException("a user of %s gave up".formatted(tenant.name()), stopped);
            }
        }
    }

    private void remember(Tenant tenant, List<JobId> ids) {
        List<JobId> own = jobs.getOrDefault(tenant.name(), List.of());
        synchronized (own) {
            own.addAll(ids);
        }
    }

    /** Waits until every call has succeeded; false if some have not yet. */
    boolean await(Duration time) throws InterruptedException {
        return left.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    int done(Tenant tenant) {
        return done.getOrDefault(tenant.name(), new AtomicInteger()).get();
    }

    /** Asks about a job in the middle of what still waits of the first tenant. */
    String explain() {
        Tenant first = tenants.getFirst();
        List<JobId> ids = ids(first);
        JobId asked = ids.get(Math.min(ids.size() - 1, (ids.size() + done(first)) / 2));
        Explanation why = headgate.explain(asked);
        Instant earliest = why.times().earliest();
        String in = earliest == null || !earliest.isAfter(why.times().at())
                ? ""
                : " (%s)".formatted(Wording.from(why.times().at(), earliest));
        return "job %s of %s is %s%s".formatted(asked, first.name(), why.summary(), in);
    }

    private List<JobId> ids(Tenant tenant) {
        List<JobId> own = jobs.getOrDefault(tenant.name(), List.of());
        synchronized (own) {
            return List.copyOf(own);
        }
    }

    /** Lets the last outcomes reach the store, then reads the result of each job. */
    DemoResult outcome(String explained) throws InterruptedException {
        List<TenantOutcome> outcomes = new ArrayList<>();
        CallLog witness = provider.witness();
        boolean isComplete = left.getCount() == 0;
        for (Tenant tenant : tenants) {
            List<Duration> waits = new ArrayList<>();
            long succeeded = 0;
            for (JobId id : ids(tenant)) {
                JobStatus job = headgate.await(id, isComplete ? Duration.ofSeconds(5) : Duration.ZERO)
                        .or(() -> headgate.find(id))
                        .orElseThrow(() -> CommandException.bad("job %s of the demo is gone".formatted(id)));
                succeeded += job.state() == JobState.SUCCEEDED ? 1 : 0;
                if (job.times().startedAt() != null) {
                    waits.add(Duration.between(
                            job.times().readySince(), job.times().startedAt()));
                }
            }
            outcomes.add(new TenantOutcome(tenant, succeeded, waits, witness.peak(tenant.name())));
        }
        return new DemoResult(witness, outcomes, explained);
    }

    @Override
    public void close() {
        isClosed = true;
        users.forEach(Thread::interrupt);
        if (worker != null) {
            worker.stopNow();
        }
        client.close();
    }
}
