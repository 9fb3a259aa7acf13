package dev.headgate.store.jdbc;

import dev.headgate.store.CallerTransaction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The caller's own JDBC transaction: {@code headgate.in(JdbcTransaction.of(connection)).enqueue(…)}. What is done in it
 * counts when the caller commits and never if it rolls back; workflows, machines and schedules have an {@code in} too.
 * Headgate neither commits nor closes the connection.
 */
public record JdbcTransaction(Connection connection) implements CallerTransaction {
    public JdbcTransaction {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "caller's transaction: expected a connection with auto-commit off, got one with auto-commit on; "
                                + "call connection.setAutoCommit(false) first");
            }
        } catch (SQLException unusable) {
            throw new IllegalArgumentException(
                    "caller's transaction: expected a usable connection: " + unusable.getMessage(), unusable);
        }
    }

    public static JdbcTransaction of(Connection connection) {
        return new JdbcTransaction(connection);
    }
}
