package dev.headgate.postgres;

import dev.headgate.proof.StatementTrap;
import dev.headgate.proof.contract.BrokenStatementContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresBrokenStatementTest implements BrokenStatementContract {
    private final StatementTrap trap = new StatementTrap();
    private final String url = TestServer.emptyStore();
    private Driver real;
    private Driver trapped;
    private Connection looking;
    private String allRows = "";

    @BeforeEach
    void setTheTrap() throws SQLException {
        real = DriverManager.getDriver(url);
        looking = real.connect(url, new Properties());
        trapped = trap.before(Driver.class, real);
        DriverManager.deregisterDriver(real);
        DriverManager.registerDriver(trapped);
    }

    @AfterEach
    void takeItAway() throws SQLException {
        DriverManager.deregisterDriver(trapped);
        DriverManager.registerDriver(real);
        looking.close();
    }

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }

    @Override
    public StatementTrap trap() {
        return trap;
    }

    @Override
    public Exception refusal() {
        return new SQLException("planted: out of paper", "XX000");
    }

    @Override
    public Exception conflict() {
        return new SQLException("planted: could not serialize access", "40001");
    }

    @Override
    public List<String> rows() {
        try (Statement statement = looking.createStatement()) {
            if (allRows.isEmpty()) {
                allRows =
                        read(statement, "select tablename from pg_tables where schemaname = current_schema()").stream()
                                .map(table -> "select '%1$s ' || t::text from %1$s t".formatted(table))
                                .collect(Collectors.joining(" union all "));
            }
            return read(statement, allRows + " order by 1");
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static List<String> read(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet results = statement.executeQuery(sql)) {
            while (results.next()) {
                rows.add(results.getString(1));
            }
        }
        return rows;
    }
}
