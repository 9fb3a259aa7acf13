package dev.headgate.testkit.memory;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.PolicyTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The policies at their present version, and the versions before that are kept. */
final class MemoryPolicies implements PolicyTable {
    private final Journal journal;
    private final List<PolicyVersion> versions = new ArrayList<>();
    private long prunedUpTo;
    private PolicyBook book = PolicyBook.EMPTY;
    private PolicyBook askedOf = PolicyBook.EMPTY;
    private PolicyBook asked = PolicyBook.EMPTY;
    private SortedMap<Pause, PauseRow> pauses = new TreeMap<>();

    MemoryPolicies(Journal journal) {
        this.journal = journal;
    }

    /** A transaction asks more than once, mostly at one instant. */
    PolicyBook book(long now) {
        asked = (askedOf == book ? asked : book).at(now);
        askedOf = book;
        return asked;
    }

    @Override
    public void lockForChange() {
        // One transaction at a time: there is no other to wait for.
    }

    @Override
    public long save(Note note, List<PolicyChange> changes) {
        PolicyBook before = book;
        long version = before.version() + 1;
        changes.forEach(change -> book = book.with(change.key(), change.after(), version));
        List<PolicyChange> sorted = new ArrayList<>(changes);
        sorted.sort(Comparator.comparing(PolicyChange::key));
        versions.add(new PolicyVersion(version, Micros.instant(note.now()), note.author(), note.reason(), sorted));
        journal.note(() -> {
            book = before;
            versions.removeLast();
        });
        return version;
    }

    @Override
    public void pause(Pause pause, Note note) {
        change(rows -> rows.put(pause, new PauseRow(pause, note)));
    }

    @Override
    public boolean resume(Pause pause) {
        boolean isThere = pauses.containsKey(pause);
        change(rows -> rows.remove(pause));
        return isThere;
    }

    private void change(Consumer<SortedMap<Pause, PauseRow>> change) {
        PolicyBook before = book;
        SortedMap<Pause, PauseRow> rowsBefore = pauses;
        pauses = new TreeMap<>(rowsBefore);
        change.accept(pauses);
        book = book.pausing(pauses.keySet(), before.version() + 1);
        journal.note(() -> {
            book = before;
            pauses = rowsBefore;
        });
    }

    @Override
    public List<PauseRow> pauses() {
        return List.copyOf(pauses.values());
    }

    @Override
    public List<PolicyVersion> versions(long after, long before) {
        return versions.reversed().stream()
                .filter(each -> each.version() > after && each.version() < before)
                .toList();
    }

    @Override
    public long prunedUpTo() {
        return prunedUpTo;
    }

    @Override
    public void prunedUpTo(long version) {
        long before = prunedUpTo;
        prunedUpTo = version;
        journal.note(() -> prunedUpTo = before);
    }

    @Override
    public @Nullable Long newestBefore(long version, long instant) {
        Long newest = null;
        for (PolicyVersion each : versions) {
            boolean isOld = each.version() <= version && Micros.of(each.at()) < instant;
            newest = isOld ? Long.valueOf(each.version()) : newest;
        }
        return newest;
    }

    @Override
    public int prune(long upTo, long removedSince) {
        List<PolicyVersion> before = List.copyOf(versions);
        Set<GateKey> newer = new HashSet<>();
        List<PolicyVersion> left = new ArrayList<>();
        int gone = 0;
        for (PolicyVersion version : before.reversed()) {
            List<PolicyChange> kept = new ArrayList<>();
            for (PolicyChange change : version.changes()) {
                boolean isLasting = change.kind() != Kind.OVERRIDE && change.kind() != Kind.ENDED;
                boolean isLatest = isLasting && newer.add(change.key());
                boolean isWanted = !book.entry(change.key()).isNothing() || Micros.of(version.at()) >= removedSince;
                if (version.version() > upTo || (isLatest && isWanted)) {
                    kept.add(change);
                } else {
                    gone++;
                }
            }
            if (!kept.isEmpty()) {
                left.addFirst(
                        new PolicyVersion(version.version(), version.at(), version.author(), version.reason(), kept));
            }
        }
        versions.clear();
        versions.addAll(left);
        journal.note(() -> {
            versions.clear();
            versions.addAll(before);
        });
        return gone;
    }

    @Override
    public @Nullable PolicyVersion latestOf(GateKey key) {
        for (PolicyVersion version : versions.reversed()) {
            for (PolicyChange change : version.changes()) {
                if (change.key().equals(key) && change.kind() != Kind.OVERRIDE && change.kind() != Kind.ENDED) {
                    return new PolicyVersion(
                            version.version(), version.at(), version.author(), version.reason(), List.of(change));
                }
            }
        }
        return null;
    }
}
