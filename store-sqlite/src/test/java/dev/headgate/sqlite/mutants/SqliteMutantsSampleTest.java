package dev.headgate.sqlite.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.mutants.SqlMutants;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements that lack a guard: some of them with every build, all of them with {@code ./check mutants --sql sqlite}. */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class SqliteMutantsSampleTest {
    private static final List<String> CLASSES =
            List.of("dev.headgate.sqlite.SqliteStoreTest", "dev.headgate.sqlite.SqliteCallerTransactionTest");

    private final SqlMutants mutants = new SqlMutants(
            Path.of("src/main/resources/dev/headgate/sqlite/statement"),
            Path.of("src/test/resources/sqlmutants"),
            CLASSES);

    @Test
    void noGuardIsMissedByNothing() {
        assertThat(mutants.run())
                .as("write a test that notices, or say in redundant.txt why nothing can")
                .isEmpty();
    }

    @Test
    void whatIsListedAsRedundantIsStillThere() {
        assertThat(mutants.strays())
                .as("listed in redundant.txt, in no statement")
                .isEmpty();
    }
}
