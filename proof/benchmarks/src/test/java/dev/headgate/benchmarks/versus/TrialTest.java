package dev.headgate.benchmarks.versus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headgate and the yardsticks run on few jobs. The trial itself fails if a job is lost or runs twice. */
class TrialTest {
    private static EmbeddedPostgres postgres;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws Exception {
        postgres.close();
    }

    @ParameterizedTest
    @CsvSource({
        "HEADGATE, PLAIN, sqlite",
        "RAW, PLAIN, sqlite",
        "HEADGATE, LIMITED, postgres",
        "RAW, PLAIN, postgres",
        "RAW_TWICE, PLAIN, postgres",
        "RAW_LANES, LIMITED, postgres"
    })
    void worksOffWhatWasEnqueued(Entrant who, Load load, String store) throws Exception {
        Map<Figure, Double> figures =
                new Trial(new Entry(who, load), freshUrl(who, store), 1_200).run(Contest.Phase.DRAIN);

        assertThat(figures.get(Figure.DRAIN)).isPositive();
        assertThat(figures.get(Figure.CPU)).isPositive();
        assertThat(figures.containsKey(Figure.COMMITS)).isEqualTo(store.equals("postgres"));
    }

    @Test
    void aJobThatRanTwiceIsNoticed() {
        Tally tally = new Tally(5, 3);
        for (long number : new long[] {5, 6, 6}) {
            tally.accept(number);
        }

        assertThatThrownBy(tally::judge).hasMessage("ran 3 jobs with the sum 17, expected 3 with 18");
    }

    private static String freshUrl(Entrant who, String store) throws Exception {
        if (store.equals("sqlite")) {
            return "jdbc:sqlite:" + folder.resolve(who + ".db");
        }
        String name = who.name().toLowerCase(Locale.ROOT);
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return postgres.getJdbcUrl("postgres", name);
    }
}
