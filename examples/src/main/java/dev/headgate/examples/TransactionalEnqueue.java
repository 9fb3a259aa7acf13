package dev.headgate.examples;

import dev.headgate.Headgate;
import dev.headgate.jdbc.JdbcTransaction;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.postgres.PostgresBackend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * An order and the job that sends its receipt, in one transaction: both are there, or neither is. The same code runs on
 * SQLite and on PostgreSQL.
 */
public final class TransactionalEnqueue {
    private TransactionalEnqueue() {}

    record Receipt(long order) {}

    static final JobType<Receipt> SEND_RECEIPT = JobType.of("send-receipt", Receipt.class);

    public static void main(String[] args) throws SQLException {
        String url = args.length > 0 ? args[0] : "jdbc:sqlite:shop.db";
        try (Headgate headgate = Headgate.open(url);
                Connection connection = DriverManager.getConnection(url)) {
            shop(headgate, connection);
        }
    }

    /** The same with the application's own pool, as on a server. */
    static void onDataSource(DataSource dataSource) throws SQLException {
        // docs:begin data-source
        try (PostgresBackend backend = PostgresBackend.on(dataSource);
                Headgate headgate = Headgate.open(backend);
                Connection connection = dataSource.getConnection()) {
            shop(headgate, connection);
        }
        // docs:end
    }

    private static void shop(Headgate headgate, Connection connection) throws SQLException {
        createTable(connection);
        connection.setAutoCommit(false);

        JobId kept = placeOrder(headgate, connection, 1);
        System.out.println("before the commit: " + headgate.find(kept).isPresent());
        connection.commit();
        System.out.println("after the commit: " + headgate.find(kept).isPresent());

        JobId gone = placeOrder(headgate, connection, 2);
        connection.rollback();
        System.out.println("after a rollback: " + headgate.find(gone).isPresent());
    }

    // docs:begin place-order
    static JobId placeOrder(Headgate headgate, Connection connection, long order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into shop_order (id) values (?)")) {
            insert.setLong(1, order);
            insert.executeUpdate();
        }
        return headgate.in(JdbcTransaction.of(connection)).enqueue(SEND_RECEIPT, new Receipt(order));
    }
    // docs:end

    private static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists shop_order (id bigint primary key)");
        }
    }
}
