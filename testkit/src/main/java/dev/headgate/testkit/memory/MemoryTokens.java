package dev.headgate.testkit.memory;

import dev.headgate.spi.TokenRow;
import dev.headgate.spi.TokenTable;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access tokens by id. */
final class MemoryTokens implements TokenTable {
    private final Rows<String, TokenRow> tokens;

    MemoryTokens(Journal journal) {
        this.tokens = new Rows<>(journal, TokenRow::id, List.of());
    }

    @Override
    public List<TokenRow> all() {
        return tokens.all().values().stream()
                .sorted(Comparator.comparingLong(TokenRow::createdAt).thenComparing(TokenRow::id))
                .toList();
    }

    @Override
    public @Nullable TokenRow find(String hash) {
        return tokens.all().values().stream()
                .filter(row -> row.hash().equals(hash))
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean insert(TokenRow row) {
        if (tokens.get(row.id()) != null || find(row.hash()) != null) {
            return false;
        }
        tokens.put(row);
        return true;
    }

    @Override
    public void use(String id, long at) {
        TokenRow row = tokens.get(id);
        if (row != null && (row.usedAt() == null || row.usedAt() < at)) {
            tokens.put(new TokenRow(
                    row.id(),
                    row.name(),
                    row.hash(),
                    row.rights(),
                    row.queues(),
                    row.types(),
                    row.createdAt(),
                    row.expiresAt(),
                    at));
        }
    }

    @Override
    public boolean delete(String id) {
        boolean isThere = tokens.get(id) != null;
        tokens.remove(id);
        return isThere;
    }

    @Override
    public int prune(long before) {
        List<TokenRow> old = all().stream()
                .filter(row -> row.expiresAt() != null && row.expiresAt() < before)
                .toList();
        old.forEach(row -> tokens.remove(row.id()));
        return old.size();
    }
}
