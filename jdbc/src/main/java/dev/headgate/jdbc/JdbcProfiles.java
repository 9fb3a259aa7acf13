package dev.headgate.jdbc;

import dev.headgate.spi.ProfileRow;
import dev.headgate.spi.ProfileTable;
import java.sql.SQLException;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Profiles of job types in SQL. */
final class JdbcProfiles implements ProfileTable {
    private final Session sql;

    JdbcProfiles(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<ProfileRow> all() {
        return sql.call("list_profiles").list(JdbcProfiles::row);
    }

    @Override
    public @Nullable ProfileRow find(String type) {
        return sql.call("find_profile").set("type", type).first(JdbcProfiles::row);
    }

    @Override
    public List<ProfileRow> lock(SortedSet<String> types) {
        Batch missing = sql.batch("create_profiles");
        types.forEach(type -> missing.row().set("type", type));
        missing.run();
        return sql.call("lock_profiles").setTexts("types", types).list(JdbcProfiles::row);
    }

    @Override
    public void save(List<ProfileRow> rows) {
        Batch batch = sql.batch("save_profiles");
        rows.forEach(row -> batch.row()
                .set("type", row.type())
                .set("needs", row.needs())
                .set("expected", row.expected())
                .set("runs", row.runs())
                .set("updated_at", row.updatedAt()));
        batch.run();
    }

    @Override
    public int prune(long before) {
        return sql.call("prune_profiles").set("before", before).update();
    }

    private static ProfileRow row(Row row) throws SQLException {
        return new ProfileRow(row.text(), row.text(), row.numberOrNull(), row.text(), row.number());
    }
}
