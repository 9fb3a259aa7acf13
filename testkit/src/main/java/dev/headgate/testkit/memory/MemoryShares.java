package dev.headgate.testkit.memory;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.ShareTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shares, with the standing ones of each queue or gate in the order of their tags. */
final class MemoryShares implements ShareTable {
    private static final Comparator<ShareRow> BY_TAG = Comparator.comparingLong(
                    (ShareRow row) -> row.share().finish())
            .thenComparingLong(row -> row.share().rank())
            .thenComparing(ShareRow::key);

    private final Ordered<GateKey, ShareRow> standing =
            new Ordered<>(row -> row.share().isStanding() ? row.resource() : null, BY_TAG);
    private final Ordered<GateKey, ShareRow> byResource = new Ordered<>(ShareRow::resource, BY_TAG);
    private final Rows<String, ShareRow> shares;

    MemoryShares(Journal journal) {
        this.shares = new Rows<>(journal, row -> id(row.place()), List.of(standing, byResource));
    }

    /** Names contain no line break. */
    private static String id(OrderKey place) {
        return place.order().text() + "\n" + place.share();
    }

    @Override
    public List<ShareRow> first(Collection<GateKey> resources, int perResource) {
        return new TreeSet<>(resources)
                .stream()
                        .flatMap(resource -> standing.first(resource, perResource).stream())
                        .toList();
    }

    @Override
    public @Nullable ShareRow last(GateKey resource) {
        return byResource.in(resource).stream()
                .filter(row -> !row.share().isStanding())
                .max(BY_TAG)
                .orElse(null);
    }

    @Override
    public List<ShareRow> find(Collection<OrderKey> wanted) {
        List<ShareRow> found = new ArrayList<>();
        for (OrderKey place : wanted) {
            ShareRow row = shares.get(id(place));
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    @Override
    public void save(List<ShareRow> rows) {
        rows.forEach(shares::put);
    }

    @Override
    public void prune(GateKey resource, long virtual) {
        List.copyOf(byResource.in(resource)).stream()
                .filter(row -> !row.share().isStanding()
                        && row.share().running() == 0
                        && row.share().finish() <= virtual)
                .forEach(row -> shares.remove(id(row.place())));
    }

    @Override
    public void rebase(GateKey resource, long by) {
        List.copyOf(byResource.in(resource))
                .forEach(row ->
                        shares.put(new ShareRow(resource, row.key(), row.share().lowered(by))));
    }

    @Override
    public List<GateKey> resources() {
        return byResource.groups().stream().sorted().toList();
    }

    @Override
    public int trim(GateKey resource, int kept) {
        List<ShareRow> idle = byResource.in(resource).stream()
                .filter(row -> !row.share().isStanding() && row.share().running() == 0)
                .sorted(BY_TAG.reversed())
                .toList();
        List<ShareRow> gone = idle.subList(Math.min(kept, idle.size()), idle.size());
        gone.forEach(row -> shares.remove(id(row.place())));
        return gone.size();
    }

    @Override
    public void clear(GateKey resource) {
        List.copyOf(byResource.in(resource)).forEach(row -> shares.remove(id(row.place())));
    }

    @Override
    public int countBefore(GateKey resource, long finish, int max) {
        return (int) standing.in(resource).stream()
                .takeWhile(row -> row.share().finish() < finish)
                .limit(max)
                .count();
    }
}
