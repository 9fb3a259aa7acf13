package dev.headgate;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.PolicyOptions;
import dev.headgate.limit.Retention;
import dev.headgate.limit.TypeDefaults;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The stored limits of queues and gates, and what job types require. They hold for every worker at once, from the moment a method returns. A name
 * that ends in {@code *} covers all names with that beginning; the exact name wins over a pattern, a longer pattern over
 * a shorter one.
 *
 * <p>What is stored is the truth. A program states its limits at every start, and that is a <em>declaration</em>: stored
 * if nothing ever was under that name, fine if it is stored already, and otherwise a
 * {@link dev.headgate.policy.PolicyConflictException}, because the policy was changed or removed since, and a
 * restart must not undo that. {@link #replacing} and {@link #keeping} choose a side instead:
 *
 * <pre>{@code
 * headgate.policies().gate("openai", g -> g.limits("concurrency 8"));                  // as declared, or refuse to start
 * headgate.policies().keeping().gate("openai", g -> g.limits("concurrency 8"));        // unless something is stored
 * headgate.policies().by("ada").because("ticket 7").replacing()
 *         .gate("openai", g -> g.limits("concurrency 2"));                              // from now on
 * headgate.policies().gate("openai", g -> g.limits("concurrency 1").until(ofHours(2))); // for two hours
 * }</pre>
 *
 * <p>Each call that changes something makes a new version, kept with its author, reason and time. Immutable and
 * thread-safe: {@code by}, {@code because}, {@code replacing} and {@code keeping} return a copy.
 */
public final class Policies {
    /** The author of changes unless {@link #by} names another. */
    public static final String PROGRAM = "program";

    private final JobStore store;
    private final ProvidedPolicies provided;
    private final Voice voice;

    private record Voice(
            String author,
            String reason,
            Function<GatePolicy, PolicyEdit> mode,
            @Nullable Long expected) {}

    Policies(JobStore store, ProvidedPolicies provided) {
        this(store, provided, new Voice(PROGRAM, "", PolicyEdit.Declare::new, null));
    }

    private Policies(JobStore store, ProvidedPolicies provided, Voice voice) {
        this.store = store;
        this.provided = provided;
        this.voice = voice;
    }

    /** The author of the changes that follow. Default: {@value #PROGRAM}. */
    public Policies by(String author) {
        return new Policies(store, provided, new Voice(author, voice.reason, voice.mode, voice.expected));
    }

    /** Why the changes that follow are made. */
    public Policies because(String reason) {
        return new Policies(store, provided, new Voice(voice.author, reason, voice.mode, voice.expected));
    }

    /**
     * The changes that follow are made only while this is the latest version: what was looked at is what is changed.
     *
     * @throws dev.headgate.policy.StaleVersionException by these changes, if another version is
     */
    public Policies ifVersion(long version) {
        return new Policies(store, provided, new Voice(voice.author, voice.reason, voice.mode, version));
    }

    /** Limits that follow are stored as a new version, whatever is stored now. */
    public Policies replacing() {
        return new Policies(
                store, provided, new Voice(voice.author, voice.reason, PolicyEdit.Replace::new, voice.expected));
    }

    /** Limits that follow are stored only where nothing ever was; what was stored or removed stands. */
    public Policies keeping() {
        return new Policies(
                store, provided, new Voice(voice.author, voice.reason, PolicyEdit.Suggest::new, voice.expected));
    }

    /** States the limits of a queue: {@code queue("mail", q -> q.maxInFlight(20))}. */
    public Policies queue(String name, Consumer<PolicyBuilder> limits) {
        return put(GateKey.queue(name), limits);
    }

    /** States the limits of a gate: {@code gate("tenant:*", g -> g.limit(concurrency(3)))}. */
    public Policies gate(String name, Consumer<PolicyBuilder> limits) {
        return put(GateKey.gate(name), limits);
    }

    /** States what the jobs of a type must have: {@code type("ask", t -> t.requires("provider", "tenant:*"))}. */
    public Policies type(String name, Consumer<PolicyBuilder> demands) {
        return put(GateKey.type(name), demands);
    }

    /**
     * Stores the defaults of job types that are the same for all payloads, as a policy of each type, so that commands, schedules and
     * programs without the class apply them too. What else is stored of the type stays. A worker does this when it starts for the types of
     * its handlers, where no defaults are stored or those of an earlier start are: what was set or removed by hand, or registered, stands.
     */
    public Policies register(JobType<?>... types) {
        for (JobType<?> type : types) {
            provided.registered().add(type.name());
            TypeDefaults defaults = TypeDefaults.of(type);
            if (defaults != null) {
                GatePolicy policy =
                        GatePolicy.OPEN.options(PolicyOptions.NONE.with(new TypePolicy(List.of(), defaults)));
                put(GateKey.type(type.name()), voice.mode.apply(policy));
            }
        }
        return this;
    }

    /**
     * Two versions of a program that run side by side replace each other's defaults; each applies its own to its own jobs. What was set or removed by
     * hand stands.
     */
    void storeDefaults(Handlers handlers) {
        String why = "a worker with its handler has started";
        Voice start = new Voice(PolicyEdit.Renew.AUTHOR, why, PolicyEdit.Renew::new, null);
        Policies renewing = new Policies(store, provided, start);
        handlers.all().values().stream()
                .map(Handler::type)
                .filter(type -> !provided.registered().contains(type.name()))
                .filter(type -> TypeDefaults.of(type) != null)
                .forEach(renewing::register);
    }

    /** Removes the policy of a job type; a pattern that covers it applies again. */
    public Policies removeType(String name) {
        return put(GateKey.type(name), new PolicyEdit.Remove());
    }

    /** Removes what is stored for a queue, an override too; a pattern that covers it applies again. */
    public Policies removeQueue(String name) {
        return put(GateKey.queue(name), new PolicyEdit.Remove());
    }

    /** Removes what is stored for a gate, an override too; a pattern that covers it applies again. */
    public Policies removeGate(String name) {
        return put(GateKey.gate(name), new PolicyEdit.Remove());
    }

    /** Ends an override before its time; the stored limits decide again at once. */
    public Policies endOverride(GateKey key) {
        return put(key, new PolicyEdit.EndOverride());
    }

    /**
     * Makes several edits one version: all of them or none. Returns what changed, which may be nothing.
     *
     * @throws dev.headgate.policy.PolicyConflictException if a declaration differs from what is stored
     */
    public List<PolicyChange> change(Map<GateKey, PolicyEdit> edits) {
        return store.changePolicies(request(edits));
    }

    /**
     * What {@link #change} would change, without changing it.
     *
     * @throws IllegalArgumentException or another exception, if it would refuse them
     */
    public List<PolicyChange> rehearse(Map<GateKey, PolicyEdit> edits) {
        return store.policyStore().rehearse(request(edits));
    }

    private PolicyRequest request(Map<GateKey, PolicyEdit> edits) {
        return new PolicyRequest(new TreeMap<>(edits), voice.author, voice.reason, voice.expected);
    }

    /** Takes back the latest change, by a new version that restores what was stored before it. */
    public List<PolicyChange> undo() {
        return store.policyStore().undo(null, request(Map.of()));
    }

    /** Restores what was stored at an older version, as a new one. An override that has ended since stays ended. */
    public List<PolicyChange> undoTo(long version) {
        return store.policyStore().undo(version, request(Map.of()));
    }

    /** Limits that are stored to last, by name. Overrides are not among them. */
    public SortedMap<GateKey, GatePolicy> all() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(store.policies().stored()));
    }

    /** What holds for the jobs of this type: each part by its own policy, else by the longest pattern; nothing, if there is none. */
    public TypePolicy ofType(String name) {
        TypePolicy found = store.policies().typePolicy(name);
        return found == null ? TypePolicy.NONE : found;
    }

    /** Everything stored, by name: what lasts, and overrides that have not ended. */
    public SortedMap<GateKey, PolicyEntry> entries() {
        PolicyBook book = store.policies();
        SortedMap<GateKey, PolicyEntry> entries = new TreeMap<>();
        book.entries().forEach((key, entry) -> {
            PolicyEntry live = book.overrideFor(key) == null ? entry.withOverride(null) : entry;
            if (!live.isNothing()) {
                entries.put(key, live);
            }
        });
        return Collections.unmodifiableSortedMap(entries);
    }

    /** The number of the latest version; 0 if nothing was ever stored. */
    public long version() {
        return store.policies().version();
    }

    /** The latest versions, newest first. */
    public List<PolicyVersion> history(int limit) {
        return history(Long.MAX_VALUE, limit);
    }

    /** The latest versions before this one, newest first. */
    public List<PolicyVersion> history(long before, int limit) {
        return store.policyStore().history(before, limit);
    }

    /**
     * Lets code supply limits, such as those of a tenant's plan. It is asked when this {@code Headgate} first enqueues a
     * job that names a queue or gate under which nothing was ever stored, and what it returns is stored before the job is, by
     * the author {@code provider}. From then on the stored policy is the truth, for every process; {@link #refresh} asks
     * again. Empty stores nothing, and patterns apply.
     *
     * <p>Workers never ask. A job that is enqueued in a caller's own transaction cannot wait for a policy to be stored, so
     * it is refused until {@link #refresh} was called for the names it uses.
     */
    public Policies provider(Function<GateKey, Optional<GatePolicy>> limitsOf) {
        provided.provider(limitsOf);
        return this;
    }

    /** Asks the provider again, as after a change of plan, and stores a new version if the limits differ. */
    public Policies refresh(GateKey key) {
        provided.refresh(key);
        return this;
    }

    /** What an enqueue would go by: at most two seconds old. */
    PolicyBook recent() {
        return store.enqueues().policies();
    }

    private Policies put(GateKey key, Consumer<PolicyBuilder> limits) {
        PolicyBuilder builder = new PolicyBuilder();
        limits.accept(builder);
        return put(key, builder.build(key, voice.mode));
    }

    private Policies put(GateKey key, PolicyEdit edit) {
        PolicyRequest request = request(Map.of(key, edit));
        if (voice.expected != null || !isStored(key, edit)) {
            store.changePolicies(request);
        }
        return this;
    }

    /** A look is cheap, a change holds all claims up for a moment: programs state the same limits at every start. */
    private boolean isStored(GateKey key, PolicyEdit edit) {
        PolicyEntry entry = store.policies().entry(key);
        return switch (edit) {
            case PolicyEdit.Declare(GatePolicy policy) ->
                entry.lasting().equals(policy.keepingRetentionOf(entry.lasting()));
            case PolicyEdit.Replace(GatePolicy policy) ->
                entry.lasting().equals(policy.keepingRetentionOf(entry.lasting()));
            case PolicyEdit.Renew(GatePolicy policy) ->
                entry.lasting().equals(policy.keepingRetentionOf(entry.lasting()));
            case PolicyEdit.Suggest(GatePolicy policy) ->
                key.scope() == GateKey.Scope.TYPE
                        ? policy.keepingRetentionOf(entry.lasting()).equals(entry.lasting())
                        : !entry.lasting().isSilent();
            case PolicyEdit.Remove() -> entry.isNothing();
            case PolicyEdit.EndOverride() -> entry.override() == null;
            case PolicyEdit.Lengthen(Retention wish) ->
                !wish.isLongerThan(store.policies().retentionFor(key.name()));
            case PolicyEdit.OverrideUntil(var policy, var until) -> false;
            case PolicyEdit.OverrideFor(var policy, var span) -> false;
        };
    }
}
