package dev.headgate.jdbc;

import dev.headgate.spi.RequestKeyRow;
import dev.headgate.spi.RequestKeyTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Idempotency keys in SQL. */
final class JdbcRequestKeys implements RequestKeyTable {
    private final Session sql;

    JdbcRequestKeys(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<RequestKeyRow> find(String token, Collection<String> keys, long after) {
        return sql.call("find_request_keys")
                .set("token", token)
                .setTexts("keys", keys)
                .set("after", after)
                .list(JdbcRequestKeys::row);
    }

    @Override
    public int put(List<RequestKeyRow> rows, long after) {
        Batch batch = sql.batch("put_request_keys").set("after", after);
        for (RequestKeyRow row : rows) {
            batch.row()
                    .set("token", row.token())
                    .set("key", row.key())
                    .set("request", row.request())
                    .set("status", row.status())
                    .set("answer", row.answer())
                    .set("created_at", row.createdAt());
        }
        return batch.list(Row::text).size();
    }

    @Override
    public @Nullable Long writtenBefore(int younger) {
        return sql.call("age_of_request_key").set("younger", younger).number();
    }

    @Override
    public int prune(long upTo, int most) {
        return sql.call("prune_request_keys")
                .set("up_to", upTo)
                .set("most", most)
                .update();
    }

    /** token, key, request, status, answer, created_at. */
    private static RequestKeyRow row(Row row) throws SQLException {
        return new RequestKeyRow(
                row.text(), row.text(), row.text(), Math.toIntExact(row.number()), row.text(), row.number());
    }
}
