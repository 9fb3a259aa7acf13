package dev.headgate.testkit.memory;

import dev.headgate.spi.RequestKeyRow;
import dev.headgate.spi.RequestKeyTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Idempotency keys by token and key. */
final class MemoryRequestKeys implements RequestKeyTable {
    private final Rows<String, RequestKeyRow> rows;

    MemoryRequestKeys(Journal journal) {
        this.rows = new Rows<>(journal, row -> id(row.token(), row.key()), List.of());
    }

    private static String id(String token, String key) {
        return token + "\n" + key;
    }

    @Override
    public List<RequestKeyRow> find(String token, Collection<String> keys, long after) {
        return keys.stream()
                .distinct()
                .map(key -> rows.get(id(token, key)))
                .filter(Objects::nonNull)
                .filter(row -> row.createdAt() > after)
                .toList();
    }

    @Override
    public int put(List<RequestKeyRow> wanted, long after) {
        int written = 0;
        for (RequestKeyRow row : wanted) {
            RequestKeyRow before = rows.get(id(row.token(), row.key()));
            if (before == null || before.createdAt() <= after) {
                rows.put(row);
                written++;
            }
        }
        return written;
    }

    private List<RequestKeyRow> oldestFirst() {
        return rows.all().values().stream()
                .sorted(Comparator.comparingLong(RequestKeyRow::createdAt))
                .toList();
    }

    @Override
    public @Nullable Long writtenBefore(int younger) {
        List<RequestKeyRow> all = oldestFirst();
        return all.size() <= younger ? null : all.get(all.size() - 1 - younger).createdAt();
    }

    @Override
    public int prune(long upTo, int most) {
        List<RequestKeyRow> old = oldestFirst().stream()
                .filter(row -> row.createdAt() <= upTo)
                .limit(most)
                .toList();
        old.forEach(row -> rows.remove(id(row.token(), row.key())));
        return old.size();
    }
}
