package dev.headgate.benchmarks.versus;

import java.sql.SQLException;
import javax.sql.DataSource;

/** The table of db-scheduler, as its own pages have it. */
public final class DbSchedulerTable {
    private static final String SCHEMA = """
            create table if not exists scheduled_tasks (
                task_name %1$s not null,
                task_instance %1$s not null,
                task_data %2$s,
                execution_time %3$s not null,
                picked boolean not null,
                picked_by %1$s,
                last_success %3$s,
                last_failure %3$s,
                consecutive_failures integer,
                last_heartbeat %3$s,
                version bigint not null,
                primary key (task_name, task_instance)
            );
            create index if not exists execution_time_idx on scheduled_tasks (execution_time);
            create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat);
            """;

    private DbSchedulerTable() {}

    public static void create(DataSource source, boolean isSqlite) throws SQLException {
        Pools.execute(
                source,
                isSqlite
                        ? SCHEMA.formatted("varchar(100)", "blob", "timestamp")
                        : SCHEMA.formatted("text", "bytea", "timestamptz"));
    }
}
