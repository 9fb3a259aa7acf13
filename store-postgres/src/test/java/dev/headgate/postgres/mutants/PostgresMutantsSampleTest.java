package dev.headgate.postgres.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.mutants.SqlMutants;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements that lack a guard: some of them with every build, all of them with {@code ./check mutants --sql postgres}. */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class PostgresMutantsSampleTest {
    private static final List<String> CLASSES = Stream.of(
                    "StoreTest",
                    "LocksTest",
                    "ForeignLockTest",
                    "ReapRaceTest",
                    "GateWaitTest",
                    "PruneTest",
                    "CallerTransactionTest")
            .map(name -> "dev.headgate.postgres.Postgres" + name)
            .toList();

    private final SqlMutants mutants = new SqlMutants(
            Path.of("src/main/resources/dev/headgate/postgres/statement"),
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
