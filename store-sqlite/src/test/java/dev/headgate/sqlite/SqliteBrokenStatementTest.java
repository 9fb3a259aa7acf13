package dev.headgate.sqlite;

import dev.headgate.proof.StatementTrap;
import dev.headgate.proof.contract.BrokenStatementContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteBrokenStatementTest implements BrokenStatementContract {
    private final StatementTrap trap = new StatementTrap();

    @TempDir
    Path folder;

    private Driver real;
    private Driver trapped;

    @BeforeEach
    void setTheTrap() throws SQLException {
        real = DriverManager.getDriver(url());
        trapped = trap.before(Driver.class, real);
        DriverManager.deregisterDriver(real);
        DriverManager.registerDriver(trapped);
    }

    @AfterEach
    void takeItAway() throws SQLException {
        DriverManager.deregisterDriver(trapped);
        DriverManager.registerDriver(real);
    }

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("jobs.db");
    }

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return SqliteBackend.open(url(), clock);
    }

    @Override
    public StatementTrap trap() {
        return trap;
    }

    @Override
    public Exception refusal() {
        return new SQLException("planted: out of paper", "", 1);
    }

    /** One writer at a time: no other write can come between. */
    @Override
    public Exception conflict() {
        return null;
    }

    @Override
    public List<String> rows() {
        List<String> rows = new ArrayList<>();
        try (Connection connection = real.connect(url(), new Properties());
                Statement statement = connection.createStatement()) {
            for (String table : read(
                    statement,
                    "select name from sqlite_master where type = 'table' and name like 'headgate%' order by name")) {
                read(statement, "select * from " + table).stream().sorted().forEach(row -> rows.add(table + row));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return rows;
    }

    private static List<String> read(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet results = statement.executeQuery(sql)) {
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(columns == 1 ? "" : " ").append(results.getString(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }
}
