package dev.headgate.internal.policy;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyChange;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts lanes under their shares after a queue or gate has become fair, has stopped being so, or shares by another key. No
 * claim is open while policies change, so nothing else moves.
 */
final class MoveLanesToShares {
    private final StoreTransaction tx;
    private final PolicyBook book;

    private MoveLanesToShares(StoreTransaction tx) {
        this.tx = tx;
        this.book = tx.policies();
    }

    static void run(StoreTransaction tx, List<PolicyChange> changes) {
        MoveLanesToShares rekey = new MoveLanesToShares(tx);
        boolean wasFair = changes.stream()
                .anyMatch(change -> change.before().lasting().options().fair() != null);
        boolean isFair = rekey.book.stored().values().stream()
                .anyMatch(policy -> policy.options().fair() != null);
        if (!wasFair && !isFair) {
            return;
        }
        Set<GateKey> standing = new HashSet<>();
        for (GateKey order : tx.lanes().orders()) {
            if (isConcerned(changes, order)) {
                rekey.order(order, rekey.isChargedAnew(changes, order));
                standing.add(order);
            }
        }
        if (wasFair) {
            tx.shares().resources().stream()
                    .filter(key -> isConcerned(changes, key) && !standing.contains(key))
                    .filter(key -> rekey.rule(key) == null || rekey.isChargedAnew(changes, key))
                    .forEach(tx.shares()::clear);
        }
    }

    private static boolean isConcerned(List<PolicyChange> changes, GateKey key) {
        return changes.stream().anyMatch(change -> change.key().covers(key));
    }

    /** Whether a start costs something else now than it did: what runs was not counted, or will not be. */
    private boolean isChargedAnew(List<PolicyChange> changes, GateKey key) {
        FairShare rule = rule(key);
        return changes.stream()
                .filter(change -> change.key().covers(key))
                .map(change -> change.before().lasting().options().fair())
                .anyMatch(before -> before != null && rule != null && before.charge() != rule.charge());
    }

    private @org.jspecify.annotations.Nullable FairShare rule(GateKey order) {
        return book.policyFor(order).options().fair();
    }

    /** Compares with what is stored, not with the former policy: an override may have ended unnoticed. */
    private void order(GateKey order, boolean isChargedAnew) {
        FairShare rule = rule(order);
        TreeMap<String, Long> standing = new TreeMap<>();
        List<LaneRow> moved = new ArrayList<>();
        for (LaneRow lane : tx.lanes().standing(order)) {
            String key = rule == null ? "" : rule.keyOf(lane.lane().gates());
            standing.merge(key, lane.rank(), Math::min);
            if (!lane.share().equals(key)) {
                moved.add(lane.sharing(key));
            }
        }
        boolean isNew = isChargedAnew
                || (rule != null && tx.shares().first(List.of(order), 1).isEmpty());
        if (moved.isEmpty() && !isNew) {
            return;
        }
        tx.shares().clear(order);
        moved.sort(java.util.Comparator.comparing(LaneRow::id));
        tx.lanes().save(moved);
        if (rule != null) {
            List<ShareRow> rows = new ArrayList<>();
            standing.forEach((key, rank) -> rows.add(new ShareRow(order, key, new Share(0, rank, true))));
            tx.shares().save(rows);
        }
    }
}
