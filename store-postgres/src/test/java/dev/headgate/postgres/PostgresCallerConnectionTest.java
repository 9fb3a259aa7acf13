package dev.headgate.postgres;

import dev.headgate.proof.contract.CallerActsContract;
import dev.headgate.proof.contract.CallerWakeContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

class PostgresCallerConnectionTest implements CallerActsContract, CallerWakeContract {
    private final String url = TestServer.emptyStore();

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }

    @Override
    public Caller begin() {
        return new JdbcCaller(url);
    }

    private static final class JdbcCaller implements Caller {
        private final Connection connection;

        JdbcCaller(String url) {
            try {
                connection = DriverManager.getConnection(url);
                connection.setAutoCommit(false);
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        public CallerTransaction transaction() {
            return JdbcTransaction.of(connection);
        }

        @Override
        public void commit() {
            try {
                connection.commit();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        public void close() {
            try (connection) {
                connection.rollback();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
