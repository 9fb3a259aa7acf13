/** What the stores on SQL share; users need {@link dev.headgate.store.jdbc.JdbcTransaction} only. */
@SuppressWarnings("module") // the stores are compiled after this module
module dev.headgate.jdbc {
    requires com.zaxxer.hikari;
    requires transitive dev.headgate;
    requires transitive java.sql;
    requires static org.jspecify;
    requires org.slf4j;

    exports dev.headgate.store.jdbc;
    exports dev.headgate.jdbc to
            dev.headgate.cli,
            dev.headgate.postgres,
            dev.headgate.sqlite;
}
