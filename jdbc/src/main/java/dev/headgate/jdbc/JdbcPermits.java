package dev.headgate.jdbc;

import dev.headgate.spi.PermitRow;
import dev.headgate.spi.PermitTable;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Permits that programs elsewhere asked for, in SQL. */
final class JdbcPermits implements PermitTable {
    private final Session sql;

    JdbcPermits(Session sql) {
        this.sql = sql;
    }

    @Override
    public @Nullable PermitRow findRequested(String request) {
        return sql.call("find_requested_permit").set("request", request).first(JdbcPermits::row);
    }

    @Override
    public @Nullable PermitRow find(long id) {
        return sql.call("find_permit").set("id", id).first(JdbcPermits::row);
    }

    @Override
    public boolean insert(PermitRow row) {
        return sql.call("insert_permit")
                        .set("id", row.id())
                        .set("request", row.request())
                        .set("ends_at", row.endsAt())
                        .set("state", row.state())
                        .update()
                == 1;
    }

    @Override
    public void save(PermitRow row) {
        sql.call("save_permit")
                .set("id", row.id())
                .set("ends_at", row.endsAt())
                .set("state", row.state())
                .update();
    }

    @Override
    public int prune(long before, int limit) {
        return sql.call("prune_permits")
                .set("before", before)
                .set("limit", limit)
                .update();
    }

    /** id, request, ends_at, state. */
    private static PermitRow row(Row row) throws SQLException {
        return new PermitRow(row.number(), row.text(), row.number(), row.text());
    }
}
