package dev.headgate.proof.differential;

import dev.headgate.testkit.memory.MemoryBackend;
import org.junit.jupiter.api.Test;

/** Memory against itself: nothing depends on chance, and every promise holds over many scripts. */
class DifferentialTest {
    @Test
    void memoryKeepsEveryPromiseOverManyScripts() {
        new Differential(MemoryBackend::new, MemoryBackend::new).commands(80).run(1, Integer.getInteger("seeds", 300));
    }
}
