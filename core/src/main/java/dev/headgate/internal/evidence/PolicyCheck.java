package dev.headgate.internal.evidence;

import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.JournalTable.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds the limits that a row names against those that were stored in the version of the policies that decided. */
final class PolicyCheck {
    private final GateKey gate;

    /** What could decide for the gate from a version on: an override, and what stands behind it. */
    private final NavigableMap<Long, List<GatePolicy>> byVersion = new TreeMap<>();

    /** The versions that changed that, by the time of the change. */
    private final NavigableMap<Long, Long> byTime = new TreeMap<>();

    private final Journal journal;
    private long oldest;
    private long newest;
    private @Nullable Finding first;
    private long found;

    PolicyCheck(GateKey gate, Journal journal) {
        this.gate = gate;
        this.journal = journal;
        read(journal.policies(0));
    }

    private void read(StoredPolicies policies) {
        byVersion.clear();
        byTime.clear();
        List<PolicyVersion> versions = policies.versions().reversed();
        newest = policies.version();
        oldest = versions.isEmpty() ? Long.MAX_VALUE : versions.getFirst().version();
        Map<GateKey, PolicyEntry> stored = before(policies);
        put(oldest - 1, stored);
        for (PolicyVersion version : versions) {
            boolean isAbout = false;
            for (PolicyChange change : version.changes()) {
                if (change.key().covers(gate)) {
                    stored.put(change.key(), change.after());
                    isAbout = true;
                }
            }
            if (isAbout) {
                put(version.version(), stored);
                byTime.put(Micros.of(version.at()), version.version());
            }
        }
    }

    private void put(long version, Map<GateKey, PolicyEntry> stored) {
        byVersion.put(version, PolicyBook.of(version, stored).policiesInTime(gate));
    }

    /** What was stored before the first version that is kept: what the first change of a name found, or what is there now. */
    private Map<GateKey, PolicyEntry> before(StoredPolicies policies) {
        Map<GateKey, PolicyEntry> stored = new HashMap<>(policies.now());
        for (PolicyVersion version : policies.versions()) {
            version.changes().forEach(change -> stored.put(change.key(), change.before()));
        }
        stored.keySet().removeIf(key -> !key.covers(gate));
        return stored;
    }

    void look(Entry entry) {
        if (entry.rule().version() > newest) {
            read(journal.policies(entry.rule().version()));
        }
        if (entry.rule().version() < oldest && entry.rule().version() <= newest) {
            return; // nothing is kept of what was stored then
        }
        Map.Entry<Long, List<GatePolicy>> then =
                byVersion.floorEntry(entry.rule().version());
        List<GatePolicy> policies = then == null ? List.of(GatePolicy.OPEN) : then.getValue();
        boolean isKnown = entry.rule().version() <= newest;
        if (isKnown && policies.stream().anyMatch(policy -> isNamed(policy, entry))) {
            return;
        }
        found++;
        if (first == null) {
            String text = isKnown
                    ? "it says that the limits were '%s', and in version %d of the policies they were '%s'"
                            .formatted(
                                    entry.rule().policy(),
                                    entry.rule().version(),
                                    policies.getFirst().text())
                    : "it says that version %d of the policies decided, and the newest is %d"
                            .formatted(entry.rule().version(), newest);
            first = new Finding(
                    Finding.Kind.POLICY,
                    entry.link().number(),
                    entry.id(),
                    Micros.instant(entry.event().at()),
                    text);
        }
    }

    private static boolean isNamed(GatePolicy policy, Entry entry) {
        return policy.options().journal() != null
                && Limit.textOf(policy.limits()).equals(entry.rule().policy());
    }

    /** The first row that names other limits; absent if none does. */
    @Nullable
    Finding finding() {
        return first == null || found == 1
                ? first
                : first.withText("%s; %d rows after it say so too".formatted(first.text(), found - 1));
    }

    /** Whether the gate kept a journal at this instant, and for so long after it. */
    boolean isJournaled(long at, long after) {
        return isJournaled(byTime.floorEntry(at)) && isJournaled(byTime.floorEntry(at + after));
    }

    private boolean isJournaled(Map.@Nullable Entry<Long, Long> change) {
        return change != null
                && byVersion.getOrDefault(change.getValue(), List.of()).stream()
                        .allMatch(policy -> policy.options().journal() != null);
    }
}
