package dev.headgate.internal.admission;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.limit.Retention;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All stored policies at one version, seen at one instant. A name that ends in {@code *} covers every name with that
 * beginning; the exact name wins over any pattern, the longer pattern over the shorter. Immutable.
 *
 * <p>Design note. An override ends by the clock alone, also while no process runs. So its end is part of the book: the
 * same version decides differently before and after it, and {@link #at} moves the book on without reading it again.
 */
public final class PolicyBook {
    public static final PolicyBook EMPTY = new PolicyBook(0, Map.of());

    private final long version;
    private final Map<GateKey, GatePolicy> stored;
    private final Map<GateKey, PolicyOverride> overrides;
    private final List<GateKey> patterns;
    private final Set<GateKey> silent;
    private final Set<Pause> pauses;
    private final long at;
    private final boolean hasCaps;
    private final boolean hasFair;
    private final boolean hasTypes;

    public PolicyBook(long version, Map<GateKey, GatePolicy> stored) {
        this(version, Map.copyOf(stored), Map.of(), patterns(stored.keySet()), Set.of(), 0);
    }

    private PolicyBook(
            long version,
            Map<GateKey, GatePolicy> stored,
            Map<GateKey, PolicyOverride> overrides,
            List<GateKey> patterns,
            Set<Pause> pauses,
            long at) {
        this.version = version;
        this.stored = stored;
        this.overrides = overrides;
        this.patterns = patterns;
        this.silent = stored.keySet().stream()
                .filter(name -> stored.getOrDefault(name, GatePolicy.OPEN).isSilent())
                .collect(Collectors.toUnmodifiableSet());
        this.pauses = pauses;
        this.at = at;
        this.hasCaps =
                stored.values().stream().anyMatch(policy -> policy.options().backlog() != null);
        this.hasFair =
                stored.values().stream().anyMatch(policy -> policy.options().fair() != null);
        this.hasTypes = stored.keySet().stream().anyMatch(name -> name.scope() == GateKey.Scope.TYPE);
    }

    /** The same entries with other pauses, or at another instant; keeps what is already computed from the entries. */
    private PolicyBook(PolicyBook other, long version, Set<Pause> pauses, long at) {
        this.version = version;
        this.stored = other.stored;
        this.overrides = other.overrides;
        this.patterns = other.patterns;
        this.silent = other.silent;
        this.pauses = pauses;
        this.at = at;
        this.hasCaps = other.hasCaps;
        this.hasFair = other.hasFair;
        this.hasTypes = other.hasTypes;
    }

    /** The book of these entries before any override has ended; {@link #at} sets the instant. */
    public static PolicyBook of(long version, Map<GateKey, PolicyEntry> entries) {
        Map<GateKey, GatePolicy> lasting = new HashMap<>();
        Map<GateKey, PolicyOverride> overrides = new HashMap<>();
        entries.forEach((key, entry) -> {
            if (!entry.lasting().isOpen()) {
                lasting.put(key, entry.lasting());
            }
            if (entry.override() != null) {
                overrides.put(key, entry.override());
            }
        });
        return new PolicyBook(
                version,
                Map.copyOf(lasting),
                Map.copyOf(overrides),
                patterns(entries.keySet()),
                Set.of(),
                Long.MIN_VALUE);
    }

    private static List<GateKey> patterns(Set<GateKey> names) {
        List<GateKey> starred = new ArrayList<>(names);
        starred.removeIf(key -> !key.isPattern());
        starred.sort(Comparator.comparingInt((GateKey key) -> key.name().length())
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        return List.copyOf(starred);
    }

    /** This book as it decides at another instant of store time. */
    public PolicyBook at(long now) {
        return overrides.isEmpty() || now == at ? this : new PolicyBook(this, version, pauses, now);
    }

    /** Rises with every change, so that a worker can tell whether its copy is current. */
    public long version() {
        return version;
    }

    /** The lasting policies, by name; without overrides. */
    public Map<GateKey, GatePolicy> stored() {
        return stored;
    }

    /** Everything stored under one name, including ended overrides that are not deleted yet. */
    public PolicyEntry entry(GateKey name) {
        return new PolicyEntry(stored.getOrDefault(name, GatePolicy.OPEN), overrides.get(name));
    }

    /** All names with stored entries. */
    public Map<GateKey, PolicyEntry> entries() {
        Set<GateKey> names = new HashSet<>(stored.keySet());
        names.addAll(overrides.keySet());
        Map<GateKey, PolicyEntry> entries = new HashMap<>();
        names.forEach(name -> entries.put(name, entry(name)));
        return entries;
    }

    /** The policy that decides for this gate or queue; {@link GatePolicy#OPEN} if nothing covers it. */
    public GatePolicy policyFor(GateKey key) {
        GateKey name = deciding(key);
        return name == null ? GatePolicy.OPEN : inForce(name, at);
    }

    /** The override that decides for this gate or queue; absent if its lasting policy decides. */
    public @Nullable PolicyOverride overrideFor(GateKey key) {
        GateKey name = deciding(key);
        PolicyOverride override = name == null ? null : overrides.get(name);
        return override != null && override.isInForce(at) ? override : null;
    }

    /**
     * The policies that decide for this key at some time without another change: now, and after overrides have ended.
     */
    public List<GatePolicy> policiesInTime(GateKey key) {
        List<GatePolicy> all = new ArrayList<>();
        all.add(policyFor(key));
        for (PolicyOverride override : overrides.values()) {
            if (at < override.until()) {
                all.add(at(override.until()).policyFor(key));
            }
        }
        return all;
    }

    /** The name under which the policy is stored that decides for this gate or queue; absent if nothing covers it. */
    public @Nullable GateKey nameFor(GateKey key) {
        return deciding(key);
    }

    private @Nullable GateKey deciding(GateKey key) {
        if (isInForce(key)) {
            return key;
        }
        for (int i = 0; i < patterns.size(); i++) {
            GateKey pattern = patterns.get(i);
            if (pattern.covers(key) && isInForce(pattern)) {
                return pattern;
            }
        }
        return null;
    }

    private boolean isInForce(GateKey name) {
        if (stored.containsKey(name) && (silent.isEmpty() || !silent.contains(name))) {
            return true;
        }
        PolicyOverride override = overrides.isEmpty() ? null : overrides.get(name);
        return override != null && override.isInForce(at);
    }

    private GatePolicy inForce(GateKey name, long now) {
        PolicyOverride override = overrides.isEmpty() ? null : overrides.get(name);
        GatePolicy lasting = stored.getOrDefault(name, GatePolicy.OPEN);
        // An override replaces limits only; the other traits of the name stay.
        return override != null && override.isInForce(now) ? override.policy().options(lasting.options()) : lasting;
    }

    /**
     * Whether limits decide for this queue now or may do so when an override ends. Its use is then counted all the
     * time, or the limits that come back would not know what runs.
     */
    public boolean isCounted(GateKey queue) {
        if (!policyFor(queue).isOpen()) {
            return true;
        }
        for (GateKey name : overrides.keySet()) {
            if (name.covers(queue)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is counted at least until this instant, without another change. */
    public boolean isCountedUntil(GateKey queue, long instant) {
        if (!at(instant).policyFor(queue).isOpen()) {
            return true;
        }
        return overrides.entrySet().stream()
                .anyMatch(each -> each.getKey().covers(queue) && each.getValue().until() >= instant);
    }

    /** Whether a stored entry covers this gate or queue. */
    public boolean isNamed(GateKey key) {
        return stored.keySet().stream().anyMatch(name -> name.covers(key))
                || overrides.keySet().stream().anyMatch(name -> name.covers(key));
    }

    /** The same book with these pauses instead of its own. */
    public PolicyBook pausing(Set<Pause> other) {
        return new PolicyBook(this, version, Set.copyOf(other), at);
    }

    /** The same book with these pauses, at another version. */
    public PolicyBook pausing(Set<Pause> other, long newVersion) {
        return new PolicyBook(this, newVersion, Set.copyOf(other), at);
    }

    public Set<Pause> pauses() {
        return pauses;
    }

    public boolean isPaused(GateKey key) {
        for (Pause pause : pauses) {
            if (pause.covers(key)) {
                return true;
            }
        }
        return false;
    }

    public boolean isTypePaused(String type) {
        return !pauses.isEmpty() && pauses.contains(Pause.type(type));
    }

    /**
     * How long ended jobs of this queue are kept: its own setting, else the setting for all queues, else {@link
     * Retention#DEFAULT}.
     */
    public Retention retentionFor(String queue) {
        Retention own = retention(GateKey.queue(queue));
        return own == null ? commonRetention() : own;
    }

    /** The retention of all queues without a setting of their own. */
    public Retention commonRetention() {
        Retention all = retention(GateKey.queue("*"));
        return all == null ? Retention.DEFAULT : all;
    }

    private @Nullable Retention retention(GateKey name) {
        return stored.getOrDefault(name, GatePolicy.OPEN).options().retention();
    }

    /** Queues with a retention of their own, by that retention. */
    public Map<Retention, Set<String>> retentions() {
        Map<Retention, Set<String>> named = new HashMap<>();
        stored.forEach((name, policy) -> {
            Retention own = policy.options().retention();
            if (own != null && !name.isPattern()) {
                named.computeIfAbsent(own, each -> new HashSet<>()).add(name.name());
            }
        });
        return named;
    }

    /** What holds for the jobs of this type: each part by its own policy, else by the longest pattern; absent if that is nothing. */
    public @Nullable TypePolicy typePolicy(String type) {
        if (!hasTypes) {
            return null;
        }
        GateKey key = GateKey.type(type);
        TypePolicy all = stored.getOrDefault(key, GatePolicy.OPEN).options().type();
        for (GateKey pattern : patterns) {
            if (pattern.covers(key)) {
                TypePolicy wider =
                        stored.getOrDefault(pattern, GatePolicy.OPEN).options().type();
                all = all == null ? wider : all.and(wider);
            }
        }
        return all;
    }

    /** Whether any backlog is capped. */
    public boolean hasCaps() {
        return hasCaps;
    }

    /** Whether any queue or gate is shared. */
    public boolean hasFair() {
        return hasFair;
    }

    public boolean hasOverrides() {
        return !overrides.isEmpty();
    }

    /** Whether an ended override is still stored. */
    public boolean hasEnded() {
        for (PolicyOverride override : overrides.values()) {
            if (override.until() <= at) {
                return true;
            }
        }
        return false;
    }

    /** Whether an override in force in this book ends by then, so that this book no longer decides. */
    public boolean endsBy(long now) {
        Long next = nextEnd();
        return next != null && next <= now;
    }

    /** When the next override ends; absent if none is in force. */
    public @Nullable Long nextEnd() {
        Long next = null;
        for (PolicyOverride override : overrides.values()) {
            if (at < override.until() && (next == null || override.until() < next)) {
                next = override.until();
            }
        }
        return next;
    }

    /** A copy with one lasting policy set; an open policy removes it. */
    public PolicyBook with(GateKey key, GatePolicy policy, long newVersion) {
        return with(key, entry(key).withLasting(policy), newVersion);
    }

    /** A copy with one entry changed. */
    public PolicyBook with(GateKey key, PolicyEntry entry, long newVersion) {
        Map<GateKey, PolicyEntry> changed = new HashMap<>(entries());
        if (entry.isNothing()) {
            changed.remove(key);
        } else {
            changed.put(key, entry);
        }
        return of(newVersion, changed).pausing(pauses).at(at);
    }
}
