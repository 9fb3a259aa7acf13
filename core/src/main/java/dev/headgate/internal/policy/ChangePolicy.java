package dev.headgate.internal.policy;

import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.Permits;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.dependency.BacklogCaps;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.BacklogCap;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Retention;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.policy.StaleVersionException;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.HoldingRow;
import dev.headgate.spi.LaneTable.LineCount;
import dev.headgate.spi.PolicyTable.Note;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores policies. No claim that was decided by the old ones is open while they change, so a queue that had no limits,
 * and was not counted, is counted exactly once here; lines that may move now are made due.
 */
final class ChangePolicy {
    private static final String ITSELF = "headgate";
    private static final long PAGE = 100;
    private static final String COUNTED = "a hold: turns look at this queue until then, though it has no limits";
    private static final long REST_MICROS = Micros.of(Duration.ofHours(1));

    private final StoreTransaction tx;
    private final long now;
    private final PolicyBook book;
    private final List<PolicyChange> changes = new ArrayList<>();

    private ChangePolicy(StoreTransaction tx) {
        this.tx = tx;
        this.now = tx.now();
        this.book = tx.policies().at(now);
    }

    private static ChangePolicy locked(StoreTransaction tx) {
        tx.policyTable().lockForChange();
        return new ChangePolicy(tx);
    }

    /** Makes the edits one version; returns what changed, which may be nothing. */
    static List<PolicyChange> run(StoreTransaction tx, PolicyRequest request) {
        ChangePolicy change = locked(tx);
        change.require(request.expected());
        request.edits().forEach(change::edit);
        return change.store(request.author(), request.reason());
    }

    /** What {@link #run} would change now, or what it would refuse; changes and locks nothing. */
    static List<PolicyChange> rehearse(StoreTransaction tx, PolicyRequest request) {
        ChangePolicy change = new ChangePolicy(tx);
        change.require(request.expected());
        request.edits().forEach(change::edit);
        TypePolicies.requireKnown(change.book, change.changes);
        return List.copyOf(change.changes);
    }

    private void require(@Nullable Long expected) {
        if (expected != null && expected != book.version()) {
            throw new StaleVersionException(expected, book.version());
        }
    }

    /** Takes out overrides whose time is over: they decide nothing any more, but lines may move by what is back. */
    static List<PolicyChange> endOverrides(StoreTransaction tx) {
        ChangePolicy change = locked(tx);
        new TreeMap<>(change.book.entries())
                .forEach((key, entry) -> change.note(key, Kind.ENDED, entry, entry.at(change.now)));
        return change.store(ITSELF, "the time of an override was over");
    }

    /**
     * Lets turns look at a queue without limits for this time and somewhat longer, so that they see a hold. The rest saves a version for
     * each push-back that follows.
     */
    static List<PolicyChange> count(StoreTransaction tx, GateKey queue, long span) {
        ChangePolicy change = locked(tx);
        long until = change.now + span;
        long further = until + Math.min(span, REST_MICROS);
        PolicyEntry before = change.book.entry(queue);
        PolicyOverride override = before.at(change.now).override();
        boolean isLeft = change.book.isCountedUntil(queue, until)
                || (override != null
                        && !override.policy().equals(PolicyOverride.COUNTING)); // set for a time of its own
        if (isLeft) {
            return List.of();
        }
        change.note(
                queue,
                Kind.OVERRIDE,
                before,
                before.withOverride(new PolicyOverride(PolicyOverride.COUNTING, further)));
        return change.store(ITSELF, COUNTED);
    }

    /** Restores what was stored at an older version; absent means before the latest change. */
    static List<PolicyChange> undo(StoreTransaction tx, @Nullable Long version, PolicyRequest request) {
        ChangePolicy change = locked(tx);
        change.require(request.expected());
        long target = version == null ? change.beforeLatest() : version;
        if (target < 0 || target >= change.book.version()) {
            throw new IllegalArgumentException("undo: expected a version from 0 to %d, got %d; 'history' lists them"
                    .formatted(change.book.version() - 1, target));
        }
        long gone = tx.policyTable().prunedUpTo();
        if (target < gone) {
            throw new IllegalArgumentException(
                    "undo: expected version %d or a later one, got %d; what was changed before is no longer kept"
                            .formatted(gone, target));
        }
        Map<GateKey, PolicyEntry> then = new TreeMap<>();
        // Newest first, so what is put last is what the oldest of these versions found.
        for (PolicyVersion later : tx.policyTable().versions(target, Long.MAX_VALUE)) {
            if (isOwn(later)) {
                continue; // a hold goes on
            }
            later.changes().forEach(each -> then.put(each.key(), each.before()));
        }
        then.forEach((key, entry) -> change.note(key, Kind.UNDO, change.book.entry(key), entry.at(change.now)));
        String reason = request.reason();
        return change.store(request.author(), reason.isEmpty() ? "back to version %d".formatted(target) : reason);
    }

    private long beforeLatest() {
        for (long end = book.version() + 1; end > 0; end -= PAGE) {
            for (PolicyVersion version : tx.policyTable().versions(end - PAGE - 1, end)) {
                if (!isOwn(version) && version.changes().stream().anyMatch(change -> change.kind() != Kind.ENDED)) {
                    return version.version() - 1;
                }
            }
        }
        throw new IllegalArgumentException(
                "undo: expected a change to take back, found none; no policy was ever stored");
    }

    /** Whether it only tells of a hold. */
    private static boolean isOwn(PolicyVersion version) {
        return version.author().equals(ITSELF) && version.reason().equals(COUNTED);
    }

    private void edit(GateKey key, PolicyEdit edit) {
        PolicyEntry before = book.entry(key);
        PolicyEntry base = before.at(now);
        switch (edit) {
            case PolicyEdit.Declare(GatePolicy declared) -> {
                GatePolicy policy = declared.keepingRetentionOf(before.lasting());
                if (!before.lasting().equals(policy)) {
                    PolicyVersion latest = tx.policyTable().latestOf(key);
                    if (key.scope() == Scope.TYPE ? TypePolicies.isTaken(before, declared) : isTaken(before, latest)) {
                        throw new PolicyConflictException(key, policy, before.lasting(), latest);
                    }
                    note(key, Kind.SET, before, base.withLasting(policy));
                }
            }
            case PolicyEdit.Suggest(GatePolicy policy) -> {
                boolean isTaken = key.scope() == Scope.TYPE
                        ? TypePolicies.isTaken(before, policy)
                        : !before.lasting().isSilent()
                                || isTaken(before, tx.policyTable().latestOf(key));
                if (!isTaken) {
                    GatePolicy kept = policy.keepingRetentionOf(before.lasting());
                    note(key, Kind.SET, before, base.withLasting(kept));
                }
            }
            case PolicyEdit.Renew(GatePolicy policy) -> {
                if (DefaultsOrigin.isRenewable(tx.policyTable(), key, before)) {
                    note(key, Kind.SET, before, base.withLasting(policy.keepingRetentionOf(before.lasting())));
                }
            }
            case PolicyEdit.Replace(GatePolicy policy) ->
                note(key, Kind.SET, before, base.withLasting(policy.keepingRetentionOf(before.lasting())));
            case PolicyEdit.OverrideUntil(GatePolicy policy, var until) ->
                override(key, before, new PolicyOverride(policy, Micros.of(until)));
            case PolicyEdit.OverrideFor(GatePolicy policy, var span) ->
                override(key, before, new PolicyOverride(policy, Math.addExact(now, Micros.of(span))));
            case PolicyEdit.Lengthen(Retention wish) -> {
                if (wish.isLongerThan(book.retentionFor(key.name()))) {
                    GatePolicy policy = before.lasting();
                    note(
                            key,
                            Kind.SET,
                            before,
                            base.withLasting(policy.options(policy.options().with(wish))));
                }
            }
            case PolicyEdit.EndOverride() -> note(key, Kind.OVERRIDE, before, base.withOverride(null));
            case PolicyEdit.Remove() -> note(key, Kind.REMOVE, before, PolicyEntry.NOTHING);
        }
    }

    /** Removing a policy is a decision as well; only an override leaves no mark on what lasts. */
    private static boolean isTaken(PolicyEntry before, @Nullable PolicyVersion latest) {
        return !before.lasting().isSilent()
                || (latest != null
                        && latest.changes().stream()
                                .anyMatch(change -> !change.before().lasting().isSilent()));
    }

    private void override(GateKey key, PolicyEntry before, PolicyOverride override) {
        if (key.scope() == Scope.QUEUE && before.isNothing()) {
            Names.checkQueuePattern(key.name());
        }
        if (override.until() <= now) {
            throw new IllegalArgumentException(
                    "override of %s: expected an end in the future, got %s; the store's time is %s"
                            .formatted(key, override.ends(), Micros.instant(now)));
        }
        note(key, Kind.OVERRIDE, before, before.withOverride(override));
    }

    private void note(GateKey key, Kind kind, PolicyEntry before, PolicyEntry after) {
        TypePolicies.check(key, after);
        if (key.scope() == Scope.QUEUE && kind == Kind.SET && before.lasting().isSilent()) {
            Names.checkQueuePattern(key.name()); // what earlier versions stored can still be changed and removed
        }
        Retention kept = after.lasting().options().retention();
        boolean isOneOrAll =
                key.scope() == Scope.QUEUE && (!key.isPattern() || key.name().equals("*"));
        if (kept != null && !isOneOrAll) {
            throw new IllegalArgumentException(
                    "retention %s of %s: expected the name of one queue, or queue * for all; jobs are kept by their queue"
                            .formatted(kept.text(), key));
        }
        if (!after.equals(before)) {
            changes.add(new PolicyChange(key, kind, before, after));
        }
    }

    private List<PolicyChange> store(String author, String reason) {
        if (!changes.isEmpty()) {
            TypePolicies.requireKnown(book, changes);
            tx.policyTable().save(new Note(now, author, reason), changes);
            recountQueues(names(Scope.QUEUE));
            MoveLanesToShares.run(tx, changes);
            wakeLines(names(Scope.GATE));
            recountBacklogs();
        }
        return List.copyOf(changes);
    }

    private void recountBacklogs() {
        boolean isCapChanged =
                changes.stream().anyMatch(change -> (cap(change.before()) == null) != (cap(change.after()) == null));
        if (isCapChanged) {
            BacklogCaps.recount(tx, tx.policies());
        }
    }

    private static @Nullable BacklogCap cap(PolicyEntry entry) {
        return entry.lasting().options().backlog();
    }

    /** A change that says nothing of limits, before or after, moves nothing. */
    private static boolean isSilent(PolicyEntry entry) {
        return entry.override() == null && entry.lasting().isSilent();
    }

    private Set<GateKey> names(Scope scope) {
        return changes.stream()
                .filter(change -> !isSilent(change.before()) || !isSilent(change.after()))
                .map(PolicyChange::key)
                .filter(key -> key.scope() == scope)
                .collect(Collectors.toSet());
    }

    private static boolean covers(Set<GateKey> names, GateKey key) {
        return names.contains(key) || names.stream().anyMatch(name -> name.isPattern() && name.covers(key));
    }

    private void recountQueues(Set<GateKey> names) {
        if (names.isEmpty()) {
            return;
        }
        Map<GateKey, long[]> held = new HashMap<>();
        for (HoldingRow holding : tx.jobs().holdings()) {
            GateKey queue = GateKey.queue(holding.lane().queue());
            if (covers(names, queue)) {
                long[] sum = held.computeIfAbsent(queue, q -> new long[2]);
                sum[0] += holding.leases();
                sum[1] += holding.leases() * queue.unitsOf(holding.cost());
            }
        }
        TreeSet<GateKey> queues = new TreeSet<>(held.keySet());
        for (GateRow row : tx.gates().queuesInUse()) {
            if (covers(names, row.key())) {
                queues.add(row.key());
            }
        }
        if (queues.isEmpty()) {
            return;
        }
        List<GateRow> recounted = new ArrayList<>();
        PolicyBook after = tx.policies();
        for (GateRow row : tx.gates().lock(queues).get()) {
            long[] sum = held.getOrDefault(row.key(), new long[2]);
            Permits permits = row.ledger(after, 0).permits();
            boolean isContinued = book.isCounted(row.key()) && after.isCounted(row.key());
            recounted.add(new GateRow(
                    row.key(),
                    sum[0] + permits.count(),
                    sum[1] + permits.units(),
                    isContinued ? row.memory() : GateState.withoutProbe(row.memory(), now),
                    row.wakeAt(),
                    row.journal()));
        }
        tx.gates().save(recounted);
    }

    private void wakeLines(Set<GateKey> names) {
        if (names.isEmpty()) {
            return;
        }
        Collection<GateKey> waiting = names.stream().anyMatch(GateKey::isPattern)
                ? tx.lanes().lineCounts().stream()
                        .map(LineCount::gate)
                        .filter(gate -> covers(names, gate))
                        .toList()
                : tx.lanes().withLine(names);
        LockedGates ledgers = new LockedGates(tx);
        ledgers.lockGates(waiting, now);
        LineHeads.refresh(ledgers);
        ledgers.save(now);
    }
}
