package dev.headgate;

import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.json.ContentKey;
import dev.headgate.internal.text.Names;
import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobType;
import dev.headgate.job.Lane;
import dev.headgate.job.Unmet;
import dev.headgate.limit.Spans;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of one job: its queue, gates, cost, time, priority and what it waits for. What is not set here is as its
 * {@link JobType} says; gates come on top of those of the type. Nothing is checked while options are set; the enqueue
 * throws an {@link IllegalArgumentException} that names all faults at once. Not thread-safe.
 */
public final class JobOptions {
    /** The queue of jobs that name none. */
    public static final String QUEUE_DEFAULT = Lane.QUEUE_DEFAULT;

    /** The attempts of jobs that say nothing about them. */
    public static final int ATTEMPTS_DEFAULT = Tries.ATTEMPTS_DEFAULT;

    private static final Duration SPAN_MAX = Duration.ofDays(3_660);
    private static final Instant INSTANT_MIN = Instant.EPOCH;
    private static final Instant INSTANT_MAX = Instant.parse("9999-01-01T00:00:00Z");

    private String queue = QUEUE_DEFAULT;
    private final TreeSet<String> gates = new TreeSet<>();
    private long cost = 1;
    private final TreeMap<String, Long> costAt = new TreeMap<>();
    private @Nullable TreeMap<String, Long> usualCostAt;
    private final List<String> twice = new ArrayList<>();
    private int priority;
    private boolean isFront;
    private boolean keepsPlace;
    private @Nullable Duration delay;
    private @Nullable Instant at;
    private @Nullable String dedupKey;
    private @Nullable Duration dedupFor;
    private boolean isDedupByContent;
    private @Nullable Duration timeout;
    private @Nullable Instant deadline;
    private int attempts = ATTEMPTS_DEFAULT;
    private @Nullable RetryPolicy retry;
    private @Nullable TreeMap<String, String> labels;
    private @Nullable TreeMap<String, String> headers;
    private final JobRelations relations = new JobRelations();

    JobOptions() {}

    /** The options that this job was made with. */
    static JobOptions of(JobSpec job, Duration delay) {
        JobOptions options = new JobOptions();
        options.queue = job.lane().queue();
        options.gates.addAll(job.lane().gates());
        options.cost(job.cost());
        options.priority = job.order().priority();
        options.isFront = job.order().isFront();
        options.keepsPlace = job.order().keepsPlace();
        options.delay = delay.isZero() ? null : delay;
        String key = job.dedup().key();
        boolean isByContent = key != null && key.equals(ContentKey.of(job.type(), job.payload()));
        options.dedup(isByContent ? null : key, isByContent, job.dedup().lasts());
        options.timeout = job.tries().timeout();
        options.deadline = job.tries().deadline();
        options.attempts = job.tries().attemptsMax();
        options.retry = job.tries().retry() == null
                ? null
                : RetryPolicy.parse(job.tries().retry());
        options.labels(job.attributes().labels()).headers(job.attributes().headers());
        return options;
    }

    /** The queue it waits in. Default: {@code default}. */
    public JobOptions queue(String name) {
        this.queue = name;
        return this;
    }

    /** A gate it must pass, besides those already named; at most 16. Default: none. */
    public JobOptions gate(String name) {
        gates.add(name);
        return this;
    }

    /**
     * A gate it must pass, and the units it takes there instead of its {@link #cost}: requests at one gate, tokens at
     * another. Two different numbers of units for one gate are refused.
     */
    public JobOptions gate(String name, long units) {
        gates.add(name);
        Long before = costAt.put(name, units);
        if (before != null && before != units) {
            twice.add("gate '%s': expected one number of units, got %d and %d; say their sum once"
                    .formatted(name, before, units));
        }
        return this;
    }

    /** The units at a gate that the job type says; those that the enqueue says take their place. */
    void usually(String gate, long units) {
        if (usualCostAt == null) {
            usualCostAt = new TreeMap<>();
        }
        usualCostAt.put(gate, units);
    }

    /** Several gates at once. */
    public JobOptions gates(Collection<String> names) {
        gates.addAll(names);
        return this;
    }

    /** Units it takes of budgets and of limits by cost; 0 passes these freely. Default: 1. */
    public JobOptions cost(long units) {
        this.cost = units;
        return this;
    }

    /** Units as they are written on a command line, {@code Cost.parse("5 openai=1500")}; replaces all units that were set before. */
    public JobOptions cost(Cost units) {
        this.cost = units.units();
        usualCostAt = null;
        costAt.clear();
        twice.clear();
        costAt.putAll(units.byGate());
        return this;
    }

    /** Starts no earlier than this long after its enqueue, in store time. Default: zero. */
    public JobOptions delay(Duration fromNow) {
        this.delay = fromNow;
        return this;
    }

    /** Starts no earlier than this instant. An instant in the past means now. */
    public JobOptions at(Instant instant) {
        this.at = instant;
        return this;
    }

    /**
     * Higher goes first within its lane; -1000 to 1000. Default: 0. Each step is a head start of about a million jobs, so
     * one of low priority is late, but never left out.
     */
    public JobOptions priority(int value) {
        this.priority = value;
        return this;
    }

    /** Goes before all others of its priority in its lane. */
    public JobOptions front() {
        this.isFront = true;
        return this;
    }

    /**
     * When it becomes due, or the jobs it waits for have ended, it goes before all that were enqueued after it. Default: it
     * takes its place from that moment, behind those already waiting.
     */
    public JobOptions keepPlace() {
        this.keepsPlace = true;
        return this;
    }

    /** At most one live job carries this key; once that one has ended, the key is free again. */
    public JobOptions dedup(String key) {
        return dedup(key, false, null);
    }

    /** The same, but after {@code ttl} the key is free although the job may still live. */
    public JobOptions dedup(String key, Duration ttl) {
        return dedup(key, false, ttl);
    }

    /**
     * At most one live job of this type has the same payload; the order of its fields and the way its numbers are written do
     * not count.
     */
    public JobOptions dedupByContent() {
        return dedup(null, true, null);
    }

    /** The same, but after {@code ttl} another one may come although the first still lives. */
    public JobOptions dedupByContent(Duration ttl) {
        return dedup(null, true, ttl);
    }

    private JobOptions dedup(@Nullable String key, boolean isByContent, @Nullable Duration ttl) {
        this.dedupKey = key;
        this.isDedupByContent = isByContent;
        this.dedupFor = ttl;
        return this;
    }

    /** How long one attempt may run before its handler is interrupted. Default: the handler's own timeout. */
    public JobOptions timeout(Duration perAttempt) {
        this.timeout = perAttempt;
        return this;
    }

    /** The job fails if it has not ended by then; a running handler is interrupted. Default: none. */
    public JobOptions deadline(Instant instant) {
        this.deadline = instant;
        return this;
    }

    /** How often it may be tried, the first time included. Default: 10. */
    public JobOptions attempts(int most) {
        this.attempts = most;
        return this;
    }

    /** When to try again after a failure. Default: the handler's own policy. */
    public JobOptions retry(RetryPolicy policy) {
        this.retry = policy;
        return this;
    }

    /**
     * A label, by which people find it: {@code label("team", "mail")}; at most {@value Attributes#COUNT_MAX}, of up to
     * {@value Attributes#LABEL_MAX} characters. Its children have it too, unless they say another value. Default: those of its type.
     */
    public JobOptions label(String name, String value) {
        labels = labels == null ? new TreeMap<>() : labels;
        labels.put(name, value);
        return this;
    }

    /** Several labels at once. */
    public JobOptions labels(Map<String, String> pairs) {
        pairs.forEach(this::label);
        return this;
    }

    /**
     * A header: context that handlers read and hand on, such as a {@code traceparent}; at most {@value Attributes#COUNT_MAX}, of up to
     * {@value Attributes#HEADER_MAX} characters. Names are kept in lower case. Its children have it too, unless they say another value.
     * Headers are stored as they are, so they are no place for secrets; those whose names say that they are secret are hidden in
     * lists. Default: none.
     */
    public JobOptions header(String name, String value) {
        headers = headers == null ? new TreeMap<>() : headers;
        headers.put(name.toLowerCase(Locale.ROOT), value);
        return this;
    }

    /** Several headers at once. */
    public JobOptions headers(Map<String, String> pairs) {
        pairs.forEach(this::header);
        return this;
    }

    /** Waits until these jobs have succeeded. If one does not, this one ends the same way without having run. */
    public JobOptions after(JobId... jobs) {
        return after(Unmet.FAIL, jobs);
    }

    /** Waits until these jobs have ended, well or not. */
    public JobOptions afterEnd(JobId... jobs) {
        return after(Unmet.IGNORE, jobs);
    }

    /** Waits until these jobs have succeeded, and says what becomes of this one if one of them does not. */
    public JobOptions after(Unmet unmet, JobId... jobs) {
        for (JobId job : jobs) {
            relations.needs().add(new Need.Job(job, unmet));
        }
        return this;
    }

    /** Names this job within one call of {@code enqueueAll}, so that others can wait for it; see {@link #after(String...)}. */
    public JobOptions as(String name) {
        relations.name(name);
        return this;
    }

    /** Like {@link #after(JobId...)}, for jobs of the same call, in any order: {@code enqueueAll}, {@code enqueueAllJson}. */
    public JobOptions after(String... names) {
        return after(Unmet.FAIL, names);
    }

    /** The same, and says what becomes of this job if one of them does not succeed. */
    public JobOptions after(Unmet unmet, String... names) {
        for (String name : names) {
            relations.mates().add(new JobRelations.Mate(name, unmet));
        }
        return this;
    }

    /** Enqueues another job with this one, all or none, and waits until it has succeeded. */
    public <C> JobOptions child(JobType<C> type, C payload) {
        return child(type, payload, child -> {});
    }

    /**
     * The same, with options of its own; children may have children. Its handler can ask for their results, see
     * {@link dev.headgate.handler.JobContext#childResults}.
     */
    public <C> JobOptions child(JobType<C> type, C payload, Consumer<JobOptions> options) {
        return child(Unmet.FAIL, type, payload, options);
    }

    /** Adds a child, and says what becomes of this job if that child does not succeed. */
    public <C> JobOptions child(Unmet unmet, JobType<C> type, C payload, Consumer<JobOptions> options) {
        relations
                .children()
                .add(new JobRelations.Child(unmet, context -> JobRequest.of(context, type, payload, options)));
        return this;
    }

    /** Adds a child as JSON text, for tools that do not have its Java type. */
    public JobOptions child(Unmet unmet, JsonJob job) {
        relations.children().add(new JobRelations.Child(unmet, job::read));
        return this;
    }

    JobRelations relations() {
        return relations;
    }

    /** Reports all faults, or makes the job, without what it waits for. */
    NewJob job(String type, String payload) {
        Problems faults = new Problems();
        faults.collect(() -> Names.checkQueueOfJob(queue));
        gates.forEach(gate -> faults.collect(() -> Names.check("gate", gate)));
        faults.expect(
                gates.size() <= Lane.GATES_MAX,
                () -> "gates: expected at most %d, got %d".formatted(Lane.GATES_MAX, gates.size()));
        faults.collect(this::cost);
        twice.forEach(fault -> faults.expect(false, () -> fault));
        faults.collect(() -> Order.checkPriority(priority));
        faults.collect(() -> Tries.checkAttempts(attempts));
        faults.expect(delay == null || at == null, () -> "expected delay(…) or at(…), got both");
        checkInstant(faults, "at", at);
        checkInstant(faults, "deadline", deadline);
        checkSpan(faults, "delay", delay, true);
        checkSpan(faults, "timeout", timeout, false);
        checkSpan(faults, "dedup", dedupFor, false);
        if (dedupKey != null) {
            String key = dedupKey;
            faults.collect(() -> Names.check("dedup", key));
        }
        faults.collect(this::attributes);
        faults.throwIfAny("job of type '" + type + "'");
        return new NewJob(spec(type, payload), due());
    }

    private JobSpec spec(String type, String payload) {
        return new JobSpec(
                new Lane(queue, List.copyOf(gates)),
                type,
                payload,
                cost(),
                Order.of(priority, isFront, keepsPlace),
                Dedup.of(isDedupByContent ? ContentKey.of(type, payload) : dedupKey, dedupFor),
                new Tries(attempts, retry == null ? null : retry.text(), timeout, deadline),
                attributes(),
                null);
    }

    private Attributes attributes() {
        return Attributes.of(labels == null ? Map.of() : labels, headers == null ? Map.of() : headers);
    }

    private Cost cost() {
        if (usualCostAt == null) {
            return new Cost(cost, costAt);
        }
        TreeMap<String, Long> all = new TreeMap<>(usualCostAt);
        all.putAll(costAt);
        return new Cost(cost, all);
    }

    private Due due() {
        if (at != null) {
            return new Due.At(at);
        }
        return delay == null ? Due.NOW : new Due.After(delay);
    }

    /** Keeps instants where microseconds in a long, and every store, can follow. */
    static void checkInstant(Problems faults, String what, @Nullable Instant instant) {
        if (instant != null) {
            faults.expect(
                    !instant.isBefore(INSTANT_MIN) && instant.isBefore(INSTANT_MAX),
                    () -> "%s: expected an instant from %s to %s, got %s"
                            .formatted(what, INSTANT_MIN, INSTANT_MAX, instant));
        }
    }

    static void checkSpan(Problems faults, String what, @Nullable Duration span, boolean mayBeZero) {
        if (span != null) {
            boolean isLongEnough = !span.isNegative() && (mayBeZero || !span.isZero());
            faults.expect(
                    isLongEnough && span.compareTo(SPAN_MAX) <= 0,
                    () -> "%s: expected %s to %s, got %s"
                            .formatted(what, mayBeZero ? "zero" : "more than zero", Spans.text(SPAN_MAX), span));
        }
    }
}
