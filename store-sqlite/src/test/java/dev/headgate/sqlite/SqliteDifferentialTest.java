package dev.headgate.sqlite;

import dev.headgate.proof.differential.Differential;
import dev.headgate.testkit.memory.MemoryBackend;
import org.junit.jupiter.api.Test;

/** The same made-up commands on memory and on SQLite: equal answers. */
class SqliteDifferentialTest {
    @Test
    void sqliteAnswersAsMemoryDoes() {
        new Differential(MemoryBackend::new, clock -> SqliteBackend.open("jdbc:sqlite::memory:", clock))
                .commands(80)
                .run(1, Integer.getInteger("seeds", 40));
    }
}
