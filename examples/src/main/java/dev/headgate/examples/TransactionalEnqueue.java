package dev.headgate.examples;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.schedule.Schedule;
import dev.headgate.store.Store;
import dev.headgate.store.jdbc.JdbcTransaction;
import dev.headgate.store.postgres.PostgresStore;
import dev.headgate.workflow.Workflow;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * An order and the job that sends its receipt, in one transaction: both are there, or neither is. The same code runs on
 * SQLite and on PostgreSQL.
 */
public final class TransactionalEnqueue {
    private TransactionalEnqueue() {}

    record Receipt(long order) {}

    static final JobType<Receipt> SEND_RECEIPT = JobType.of("send-receipt", Receipt.class);

    static final Workflow<Receipt, Receipt> DELIVER = Workflow.named("deliver", 1, Receipt.class)
            .awaitApproval("release")
            .then("hand-over", (order, step) -> order)
            .build();

    static final Workflow<Receipt, Receipt> REFUND = Workflow.named("refund", 1, Receipt.class)
            .then("pay-back", (order, step) -> order)
            .build();

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
        try (Store store = PostgresStore.on(dataSource);
                Headgate headgate = Headgate.open(store);
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
        changeOfMind(headgate, connection);
    }

    // docs:begin place-order
    static JobId placeOrder(Headgate headgate, Connection connection, long order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into shop_order (id) values (?)")) {
            insert.setLong(1, order);
            insert.executeUpdate();
        }
        return headgate.in(JdbcTransaction.of(connection))
                .enqueue(SEND_RECEIPT, new Receipt(order))
                .id();
    }
    // docs:end

    // docs:begin in-transaction
    static void takeBack(Headgate headgate, Connection connection, long order, RunId delivery) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from shop_order where id = ?")) {
            delete.setLong(1, order);
            delete.executeUpdate();
        }
        JdbcTransaction tx = JdbcTransaction.of(connection);
        headgate.workflows().in(tx).reject(delivery, "release", "customer", "taken back");
        headgate.workflows().in(tx).start(REFUND, new Receipt(order), run -> run.key("order-" + order));
        headgate.schedules().in(tx).remove("remind-" + order);
    }
    // docs:end

    /** An order with a delivery and reminders, all of it in one transaction, and then taken back in another one. */
    private static void changeOfMind(Headgate headgate, Connection connection) throws SQLException {
        headgate.workflows().register(DELIVER).register(REFUND);
        JdbcTransaction tx = JdbcTransaction.of(connection);
        placeOrder(headgate, connection, 3);
        RunId delivery =
                headgate.workflows().in(tx).start(DELIVER, new Receipt(3)).id();
        headgate.schedules().in(tx).put("remind-3", Schedule.every(Duration.ofDays(1)), SEND_RECEIPT, new Receipt(3));
        connection.commit();
        System.out.println("runs: " + headgate.workflows().list(RunFilter.all()).size());

        takeBack(headgate, connection, 3, delivery);
        connection.commit();
        System.out.println("runs: " + headgate.workflows().list(RunFilter.all()).size() + ", schedules: "
                + headgate.schedules().list().size());
    }

    private static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists shop_order (id bigint primary key)");
        }
    }
}
