package dev.headgate.jdbc;

import dev.headgate.spi.TokenRow;
import dev.headgate.spi.TokenTable;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access tokens in SQL. */
final class JdbcTokens implements TokenTable {
    private final Session sql;

    JdbcTokens(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<TokenRow> all() {
        return sql.call("list_tokens").list(JdbcTokens::row);
    }

    @Override
    public @Nullable TokenRow find(String hash) {
        return sql.call("find_token").set("hash", hash).first(JdbcTokens::row);
    }

    @Override
    public boolean insert(TokenRow row) {
        return sql.call("insert_token")
                        .set("id", row.id())
                        .set("name", row.name())
                        .set("hash", row.hash())
                        .set("rights", row.rights())
                        .set("queues", row.queues())
                        .set("types", row.types())
                        .set("created_at", row.createdAt())
                        .set("expires_at", row.expiresAt())
                        .set("used_at", row.usedAt())
                        .update()
                == 1;
    }

    @Override
    public void use(String id, long at) {
        sql.call("use_token").set("id", id).set("at", at).update();
    }

    @Override
    public boolean delete(String id) {
        return sql.call("delete_token").set("id", id).update() == 1;
    }

    @Override
    public int prune(long before) {
        return sql.call("prune_tokens").set("before", before).update();
    }

    /** id, name, hash, rights, queues, types, created_at, expires_at, used_at. */
    private static TokenRow row(Row row) throws SQLException {
        return new TokenRow(
                row.text(),
                row.text(),
                row.text(),
                row.text(),
                row.text(),
                row.text(),
                row.number(),
                row.numberOrNull(),
                row.numberOrNull());
    }
}
