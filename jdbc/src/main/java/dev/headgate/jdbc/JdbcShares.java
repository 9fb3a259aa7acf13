package dev.headgate.jdbc;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.ShareTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shares in SQL. */
final class JdbcShares implements ShareTable {
    private final Session sql;

    JdbcShares(Session sql) {
        this.sql = sql;
    }

    @Override
    public List<ShareRow> first(Collection<GateKey> resources, int perResource) {
        Batch batch = sql.batch("first_shares").set("per_resource", perResource);
        resources.forEach(resource -> batch.row().set("resource", resource.text()));
        return batch.list(JdbcShares::row);
    }

    @Override
    public @Nullable ShareRow last(GateKey resource) {
        return sql.call("last_share").set("resource", resource.text()).first(JdbcShares::row);
    }

    @Override
    public List<ShareRow> find(Collection<OrderKey> shares) {
        Batch batch = sql.batch("find_shares");
        shares.forEach(
                place -> batch.row().set("resource", place.order().text()).set("share", place.share()));
        return batch.list(JdbcShares::row);
    }

    @Override
    public void save(List<ShareRow> rows) {
        Batch batch = sql.batch("save_shares");
        rows.forEach(row -> batch.row()
                .set("resource", row.resource().text())
                .set("share", row.key())
                .set("finish", row.share().finish())
                .set("rank", row.share().rank())
                .set("standing", row.share().isStanding() ? 1 : 0)
                .set("running", row.share().running())
                .set("as_of", row.share().asOf()));
        batch.run();
    }

    @Override
    public void prune(GateKey resource, long virtual) {
        sql.call("prune_shares")
                .set("resource", resource.text())
                .set("virtual", virtual)
                .update();
    }

    @Override
    public void rebase(GateKey resource, long by) {
        sql.call("rebase_shares").set("resource", resource.text()).set("by", by).update();
    }

    @Override
    public List<GateKey> resources() {
        return sql.call("share_resources").list(row -> GateKey.parse(row.text()));
    }

    @Override
    public int trim(GateKey resource, int kept) {
        return sql.call("trim_shares")
                .set("resource", resource.text())
                .set("kept", kept)
                .update();
    }

    @Override
    public void clear(GateKey resource) {
        sql.call("clear_shares").set("resource", resource.text()).update();
    }

    @Override
    public int countBefore(GateKey resource, long finish, int max) {
        Integer count = sql.call("count_shares_before")
                .set("resource", resource.text())
                .set("finish", finish)
                .set("max", max)
                .first(Row::integer);
        return Objects.requireNonNull(count);
    }

    private static ShareRow row(Row row) throws SQLException {
        return new ShareRow(
                GateKey.parse(row.text()),
                row.text(),
                new Share(row.number(), row.number(), row.flag(), row.number(), row.number()));
    }
}
