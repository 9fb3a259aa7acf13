package dev.headgate.proof.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.testkit.memory.MemoryBackend;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole worlds in virtual time on the memory store. */
class SimulationTest {
    private static final int EVENTS = 4_000;

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

    @Test
    void everyPromiseIsKeptInManyWorlds() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] args = {"--seeds", String.valueOf(Integer.getInteger("seeds", 40)), "--events", "" + EVENTS};
        int status = SimulationMain.run("memory", MemoryBackend::new, args, new PrintStream(said));
        assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        long faults = 0;
        for (long seed = 1; seed <= 5; seed++) {
            WorldResult once = new Simulation(seed, MemoryBackend::new).run(EVENTS);
            WorldResult again = new Simulation(seed, MemoryBackend::new).run(EVENTS);
            assertThat(again).as("seed %d", seed).isEqualTo(once);
            faults += once.faults();
        }
        assertThat(faults).isPositive();
    }

    @Test
    void anotherSeedGivesAnotherHistory() {
        assertThat(new Simulation(1, MemoryBackend::new).run(EVENTS).hash())
                .isNotEqualTo(new Simulation(2, MemoryBackend::new).run(EVENTS).hash());
    }

    @Test
    void aWorldWithoutFaultsHasNone() {
        WorldResult result = new Simulation(3, MemoryBackend::new).faultless().run(EVENTS);
        assertThat(result.violation()).isNull();
        assertThat(result.faults()).isZero();
    }

    /** The checkers must be able to fail: here is a store that forgets what its gates have let pass. */
    @Test
    void aStoreThatForgetsItsGatesIsFoundOutAndReported() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] args = {"--seeds", "20", "--events", "" + EVENTS};
        int status = SimulationMain.run("forgetful", Forgetful::new, args, new PrintStream(said));
        assertThat(status).isEqualTo(1);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .containsPattern("seed \\d+ breaks I\\d+ after")
                .contains(
                        "faults are enough", "see it again: ./check sim --seed", "--store forgetful", "world: Options");
    }

    private static final class Forgetful extends ForwardingBackend {
        private Forgetful(StoreClock clock) {
            super(new MemoryBackend(clock));
        }

        private static StoreTransaction forgetting(StoreTransaction tx) {
            return proxy(
                    StoreTransaction.class,
                    tx,
                    name -> name.equals("gates")
                            ? proxy(GateTable.class, tx.gates(), method -> method.equals("save") ? "" : null)
                            : null);
        }

        /** Answers what is given for the name of the method; asks the real one where nothing is. */
        private static <T> T proxy(Class<T> type, T real, Function<String, Object> instead) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
                        Object answer = instead.apply(method.getName());
                        if (answer != null) {
                            return method.getReturnType() == void.class ? null : answer;
                        }
                        try {
                            return method.invoke(real, args);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    }));
        }

        @Override
        public <T> T write(Function<StoreTransaction, T> work) {
            return super.write(tx -> work.apply(forgetting(tx)));
        }
    }
}
