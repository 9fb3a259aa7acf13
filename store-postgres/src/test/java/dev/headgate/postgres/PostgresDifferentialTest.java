package dev.headgate.postgres;

import dev.headgate.proof.differential.Differential;
import dev.headgate.testkit.memory.MemoryBackend;
import org.junit.jupiter.api.Test;

/** The same made-up commands on memory and on PostgreSQL: equal answers. */
class PostgresDifferentialTest {
    @Test
    void postgresAnswersAsMemoryDoes() {
        new Differential(MemoryBackend::new, clock -> PostgresBackend.open(TestServer.freshSchema(), clock))
                .commands(60)
                .shrinks(60)
                .run(1, Integer.getInteger("seeds", 8));
    }
}
