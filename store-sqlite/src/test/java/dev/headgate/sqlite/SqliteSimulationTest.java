package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.simulation.SimulationMain;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole worlds in virtual time on SQLite in memory. */
class SqliteSimulationTest {
    private final PrintStream errors = System.err;

    /** Workers of these worlds have every reason to warn, thousands of times. */
    @BeforeEach
    void silence() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    @AfterEach
    void speak() {
        System.setErr(errors);
    }

    private static SqliteBackend open(dev.headgate.spi.StoreClock clock) {
        return SqliteBackend.open("jdbc:sqlite::memory:", clock);
    }

    @Test
    void everyPromiseIsKept() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] args = {"--seeds", String.valueOf(Integer.getInteger("seeds", 4)), "--events", "1500"};
        int status = SimulationMain.run("sqlite", SqliteSimulationTest::open, args, new PrintStream(said));
        assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }
}
