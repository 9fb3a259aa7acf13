package dev.headgate.testkit.memory;

import dev.headgate.spi.PermitRow;
import dev.headgate.spi.PermitTable;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Permits that programs elsewhere asked for, by number. */
final class MemoryPermits implements PermitTable {
    private final Rows<Long, PermitRow> permits;

    MemoryPermits(Journal journal) {
        this.permits = new Rows<>(journal, PermitRow::id, List.of());
    }

    @Override
    public @Nullable PermitRow findRequested(String request) {
        return permits.all().values().stream()
                .filter(row -> row.request().equals(request))
                .findFirst()
                .orElse(null);
    }

    @Override
    public @Nullable PermitRow find(long id) {
        return permits.get(id);
    }

    @Override
    public boolean insert(PermitRow row) {
        if (permits.get(row.id()) != null || findRequested(row.request()) != null) {
            return false;
        }
        permits.put(row);
        return true;
    }

    @Override
    public void save(PermitRow row) {
        PermitRow before = permits.get(row.id());
        if (before != null) {
            permits.put(new PermitRow(row.id(), before.request(), row.endsAt(), row.state()));
        }
    }

    @Override
    public int prune(long before, int limit) {
        List<PermitRow> old = permits.all().values().stream()
                .filter(row -> row.endsAt() < before)
                .sorted(Comparator.comparingLong(PermitRow::endsAt))
                .limit(limit)
                .toList();
        old.forEach(row -> permits.remove(row.id()));
        return old.size();
    }
}
